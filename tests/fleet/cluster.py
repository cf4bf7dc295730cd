"""A Slurm cluster of two nodes and an ssh server, on ports of 127.0.0.1, for one scenario.

Keys, sockets, states and logs are in the scenario's folder, and nothing of the machine's own Slurm,
munge or ssh is used. All daemons run in the foreground as the user of the test and end with it.
SPDX-License-Identifier: MIT
"""

import os
import pathlib
import pwd
import secrets
import shutil
import socket
import subprocess

import frng

SBIN = os.pathsep.join(["/usr/sbin", "/sbin"])
OURS = pwd.getpwuid(os.getuid()).pw_name
SLURM = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol")
SSH = ("parallel", "sshd", "ssh", "ssh-keygen")

CONFIGURATION = """\
ClusterName=frng
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
ReturnToService=2
KillWait=5
NodeName=n[1-2] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[{ports[1]}-{ports[2]}] CPUs=2
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

# A requeued job waits until its credential has expired (cred_expire above): two minutes else.

SSHD = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
"""

CLIENT = """\
Host n1 n2
  HostName 127.0.0.1
  Port {port}
  IdentityFile {folder}/user
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile {folder}/known_hosts
  LogLevel ERROR
"""


def find(program):
    """The path of a program, also of one that only root has on PATH; or None."""
    return shutil.which(program, path=os.pathsep.join([os.environ["PATH"], SBIN]))


def missing(programs):
    """The first of the programs that is not installed, or None."""
    return next((program for program in programs if find(program) is None), None)


def free_ports(count):
    """That many ports in a row that nothing listens on."""
    while True:
        first = 20000 + secrets.randbelow(10000)
        try:
            for port in range(first, first + count):
                with socket.socket() as taken:
                    taken.bind(("127.0.0.1", port))
            return list(range(first, first + count))
        except OSError:
            continue


class Daemons:
    """Daemons of a scenario, in a folder of their own, that end with it: the last one first."""

    def __init__(self, scenario, name):
        self.scenario = scenario
        self.folder = scenario.folder / name
        self.folder.mkdir()
        scenario.folder.chmod(0o711)  # munge wants others to reach its socket
        self.processes = []
        scenario.addCleanup(self.end)

    def daemon(self, *command):
        with open(self.folder / f"{pathlib.Path(command[0]).name}.out", "ab") as out:
            process = self.scenario.start(find(command[0]), *command[1:], stdout=out, stderr=out,
                                          start_new_session=True)
        self.processes.append(process)
        return process

    def logs(self):
        return "".join(f"--- {path.name}\n{path.read_text(errors='replace')[-2000:]}"
                       for path in sorted(self.folder.iterdir())
                       if path.suffix in (".log", ".out"))

    def wait_until(self, condition, what):
        if not frng.wait_until(condition):
            self.scenario.fail(f"{what}\n{self.logs()}")

    def end(self):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class Slurm(Daemons):
    def __init__(self, scenario):
        super().__init__(scenario, "slurm")
        for name in ("state", "spool-n1", "spool-n2"):
            (self.folder / name).mkdir()
        self.folder.chmod(0o711)
        settings = self.folder / "slurm.conf"
        settings.write_text(CONFIGURATION.format(folder=self.folder, ports=free_ports(3), user=OURS))
        scenario.environment["SLURM_CONF"] = str(settings)
        self.start_munge()
        self.daemon("slurmctld", "-D", "-f", settings)
        for node in ("n1", "n2"):
            self.daemon("slurmd", "-D", "-N", node, "-f", settings)
        self.wait_until(lambda: self.ask("sinfo", "-h", "-t", "idle", "-o", "%D").strip() == "2",
                        "the nodes do not come up")

    def start_munge(self):
        key = self.folder / "key"
        key.write_bytes(secrets.token_bytes(1024))
        key.chmod(0o600)
        self.daemon("munged", "--foreground", f"--key-file={key}",
                    *(f"--{name}-file={self.folder}/munge.{name}" for name in ("pid", "log", "seed")),
                    f"--socket={self.folder}/socket")
        self.wait_until((self.folder / "socket").exists, "munge does not start")

    def ask(self, *command):
        """What a command of Slurm prints; "" if it fails, as it does until the controller is up."""
        result = self.scenario.run_tool(find(command[0]), *command[1:])
        return result.stdout if result.exit == 0 else ""

    def submit(self, *arguments):
        text = self.ask("sbatch", "--parsable", *arguments)
        self.scenario.assertRegex(text, r"\A\d+\n\Z", self.logs())
        return text.strip()

    def states(self, job):
        """{array index: (state, exit status)} of the tasks of a job."""
        found = {}
        for line in self.ask("scontrol", "-o", "show", "job", job).splitlines():
            fields = dict(word.split("=", 1) for word in line.split() if "=" in word)
            found[fields["ArrayTaskId"]] = fields["JobState"], fields["ExitCode"]
        return found

    def wait_for(self, job, index, state):
        self.wait_until(lambda: self.states(job).get(str(index), ("",))[0] == state,
                        f"task {index} does not become {state}")

    def wait_for_end(self, job):
        over = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT")
        self.wait_until(lambda: all(state in over for state, _ in self.states(job).values()),
                        "the job does not end")
        return self.states(job)

    def end(self):
        self.ask("scancel", "--full", "--user", OURS)
        frng.wait_until(lambda: self.ask("squeue", "-h") == "", 20)
        super().end()


class Ssh(Daemons):
    """An ssh server, which is the hosts n1 and n2 to GNU parallel."""

    SEPARATION = pathlib.Path("/run/sshd")  # the server of root insists on this folder

    def __init__(self, scenario):
        super().__init__(scenario, "ssh")
        for key in ("host", "user"):
            subprocess.run([find("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f",
                            self.folder / key], check=True)
        self.port = free_ports(1)[0]
        for name, text in (("sshd_config", SSHD), ("ssh_config", CLIENT)):
            (self.folder / name).write_text(text.format(folder=self.folder, port=self.port))
        if os.getuid() == 0 and not self.SEPARATION.exists():
            self.SEPARATION.mkdir(mode=0o755)
            scenario.addCleanup(self.SEPARATION.rmdir)
        self.daemon("sshd", "-D", "-e", "-f", self.folder / "sshd_config")
        scenario.environment.update(PARALLEL_SSH=f"ssh -F {self.folder}/ssh_config",
                                    PARALLEL_HOME=str(self.folder), HOSTS="n1,n2")
        self.wait_until(self.listens, "sshd does not start")
        self.log_in()

    def log_in(self):
        """Skip the scenario where sshd lets the user of the test in under no key."""
        result = self.scenario.run_tool("ssh", "-F", self.folder / "ssh_config", "n1", "true")
        if result.exit != 0 and "not allowed because" in self.logs():
            self.scenario.skipTest(f"sshd does not let {OURS} in")
        self.scenario.assertEqual(result.exit, 0, f"{result}\n{self.logs()}")

    def listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0
