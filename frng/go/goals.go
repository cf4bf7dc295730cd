package frng

import "unsafe"

// The table of goals that a driver may want in place of labels: how high runs came, and the draws of
// those that came higher than any before. See PROTOCOL.md.
const (
	atGuide, atGuideSize, canClimb, goal                    = 112, 120, 4096, 8
	inFrom, inPlaces, guideHeadSize, guideRecordSize        = 8, 1032, 66568, 64
	firstGoal, goalsMost, newestMost, guideRunMost, goalRun = 3840, 256, 256, 1024, 496
	isNewsOnly                                              = 1 << 31
)

// Maximize says how high this run came: a search goes on from the inputs that came highest. The
// largest value of a run counts.
func (f *F) Maximize(name string, value uint64) { f.mark(goal, name, value) }

func (r *report) short(offset uint64) *uint32 { return (*uint32)(unsafe.Pointer(&r.memory[offset])) }

// wantGoals takes the wish of the driver for its next runs.
func (r *report) wantGoals() {
	at, size := *r.word(atGuide), *r.word(atGuideSize)
	r.goals, r.goalRoom = 0, 0
	if size > guideHeadSize && at > atSite && at%8 == 0 && at+size <= uint64(len(r.memory)) {
		r.goals, r.goalRoom = at, (size-guideHeadSize)/guideRecordSize
		r.listens = true
	}
}

// climb notes how high a run came. As high as ever is news, too, after fewer bytes.
func (r *report) climb(f *F, name string, value uint64) {
	hash := uint64(0xcbf29ce484222325)
	for i := 0; i < len(name) && i < inKind-1; i++ {
		hash = (hash ^ uint64(name[i])) * 0x100000001b3
	}
	at := r.goals + inPlaces + 16*(firstGoal+hash%goalsMost)
	near, drawn, used := r.word(at), r.short(at+8), uint32(*f.used)
	if value > *near || value == *near && used < *drawn-*drawn/4 {
		*near, *drawn, *r.short(at + 12) = value, used, uint32(*r.word(atRun))
	}
}

func (r *report) goalRecord(i uint64) uint64 {
	return r.goals + guideHeadSize + guideRecordSize*(*r.word(r.goals)+i)
}

// goalDraw records a draw, in the place of an old one.
func (r *report) goalDraw(kind, width int, numbers ...uint64) {
	at := r.goalRecord(numbers[0] % newestMost)
	*r.word(at) = 0
	r.memory[at], r.memory[at+1], r.memory[at+2] = 1, byte(kind), byte(width)
	*r.short(at + 4) = uint32(*r.word(atRun))
	for i, number := range append(numbers, 0) {
		*r.word(at + 8 + 8*uint64(i)) = number
	}
}

// endGoals lets the draws of a run that has passed count, if it came higher; else those behind what it
// repeats, unless the driver wants none.
func (r *report) endGoals(f *F) {
	from, run, isNews, kept := *r.short(r.goals + inFrom + 4*(*r.word(atRun))), *r.word(atRun), false, uint64(0)
	for i := uint64(firstGoal); i < firstGoal+goalsMost; i++ {
		isNews = isNews || uint64(*r.short(r.goals + inPlaces + 16*i + 12)) == run
	}
	for i := uint64(0); i < f.draws && i < newestMost && (isNews || from < isNewsOnly); i++ {
		to, at := r.goalRecord(kept), r.goalRecord(i)
		if isNews || *r.word(at + 24) > uint64(from) {
			copy(r.memory[to:to+guideRecordSize], r.memory[at:at+guideRecordSize])
			kept++
		}
	}
	*r.word(r.goals) += kept
}

// isFullOfGoals is true if another run would find no room.
func (r *report) isFullOfGoals() bool {
	return r.goals > 0 && r.goalRoom < *r.word(r.goals)+guideRunMost
}
