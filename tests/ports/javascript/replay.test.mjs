/** Replays the findings of the queue in the folder that FRNG_FOUND names. */
import * as findings from '../../../frng/javascript/frng_findings.mjs';
import {test} from '../../../frng/javascript/queue.mjs';

findings.replay(test, process.env.FRNG_FOUND);
