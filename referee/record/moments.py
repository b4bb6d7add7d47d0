"""A disputed moment: the ruling, its rule, who did what when, what was not seen, the pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.notation import write_event
from referee.record.clips import Clip, ClipStore, load_clip
from referee.record.disputes import Dispute
from referee.record.errors import RecordError
from referee.record.figures import Story, Unseen
from referee.record.intervals import Act, acts_of_race
from referee.record.notes import DeviceState
from referee.record.plots import clock
from referee.record.recorder import AFTER_NS, BEFORE_NS, CLAIM_BEFORE_NS
from referee.record.words import (
    KIND_WORDS,
    first_probability,
    percent,
    race_words,
    ruling_words,
    unseen_words,
)
from referee.values import Event

MOST_EVENTS = 60


@dataclass(frozen=True, slots=True)
class Moment:
    """All that is known of a disputed moment.

    `clip` is None where no pictures were kept or they are gone; `no_clip` then says why.
    """

    story: Story
    dispute: Dispute
    norm: str
    acts: tuple[Act, ...]
    events: tuple[Event, ...]
    unseen: tuple[Unseen, ...]
    devices: tuple[DeviceState, ...] = ()
    clip: Clip | None = None
    no_clip: str = ""


def moment_of(story: Story, dispute: Dispute, store: ClipStore) -> Moment:
    """Return the moment of a dispute, with its clip where that is still there."""
    ruling = dispute.ruling
    before_ns = CLAIM_BEFORE_NS if dispute.claimed_by else BEFORE_NS
    from_ns, to_ns = ruling.t_ns - before_ns, ruling.t_ns + AFTER_NS
    near = story.between(from_ns, to_ns)
    gaps = tuple(
        gap
        for gap in story.unseen
        if gap.from_ns <= to_ns and (gap.to_ns is None or gap.to_ns >= from_ns)
    )
    clip, no_clip = _clip(dispute, store)
    return Moment(
        story,
        dispute,
        story.head.norm_of(ruling.rule),
        acts_of_race(story, ruling),
        near[-MOST_EVENTS:],
        gaps,
        tuple(one for one in story.devices if from_ns <= one.t_ns <= to_ns)[-MOST_EVENTS:],
        clip,
        no_clip,
    )


def _clip(dispute: Dispute, store: ClipStore) -> tuple[Clip | None, str]:
    if dispute.kept is None:
        return None, "no pictures were kept of it"
    if dispute.kept.clip is None:
        return None, f"no pictures were kept of it: {dispute.kept.why}"
    try:
        return load_clip(store, dispute.kept.clip), ""
    except RecordError as reason:
        return None, str(reason)


def dispute_line(story: Story, dispute: Dispute) -> str:
    """Return a dispute as one line of a list."""
    ruling = dispute.ruling
    state = f" [{dispute.state}]" if dispute.state else ""
    what = f"{dispute_kind(dispute)} {ruling.rule}: {dispute_words(story, dispute)}"
    return f"{dispute.n:>3}  {clock(ruling.t_ns, 3):>10}  {what}{state}"


def dispute_kind(dispute: Dispute) -> str:
    """Return what is disputed, in a word."""
    return "claim" if dispute.claimed_by else KIND_WORDS[dispute.ruling.kind]


def dispute_words(story: Story, dispute: Dispute) -> str:
    """Return what is disputed, as a sentence with the players' names."""
    if dispute.claimed_by:
        return f"{story.head.name_of(dispute.claimed_by)} claims {dispute.ruling.rule}"
    return ruling_words(story, dispute.ruling)


def moment_lines(moment: Moment) -> Iterator[str]:
    """Yield the moment as text."""
    story, dispute = moment.story, moment.dispute
    ruling, head = dispute.ruling, story.head
    yield f"{head.match.id}, dispute {dispute.n}, at {clock(ruling.t_ns, 3)}, event {ruling.n}"
    yield f"  {dispute_kind(dispute)}:  {dispute_words(story, dispute)}"
    yield f"  rule:  {ruling.rule}: {moment.norm or 'its sentence was not recorded'}"
    if ruling.options:
        in_force = {option.name: option.value for option in head.options}
        yield "  options:  " + ", ".join(f"{n}={in_force.get(n, '?')}" for n in ruling.options)
    if ruling.kind == "RACE":
        yield f"  {race_words(story, ruling, moment.acts)}"
        yield from _act_lines(moment)
    yield "  what happened:"
    for event in moment.events:
        mark = ">" if event.n == ruling.n else " "
        yield f"   {mark}{write_event(event)}"
    gaps = "; ".join(unseen_words(gap, head.names) for gap in moment.unseen)
    yield f"  what was not seen:  {gaps or 'nothing'}"
    if moment.devices:
        yield "  what the devices said:"
        yield from (f"    {clock(one.t_ns, 3)} {one.text or one.state}" for one in moment.devices)
    yield from _picture_lines(moment)
    yield from review_lines(dispute)


def _act_lines(moment: Moment) -> Iterator[str]:
    for act in moment.acts:
        name = moment.story.head.name_of(act.seat)
        yield f"    {name:<12} {clock(act.t_ns, 6)} ± {act.u_ns / 1e6:g} ms  {act.words}"
    p_first = first_probability(moment.dispute.ruling, moment.acts)
    if p_first is not None and len(moment.acts) == 2:
        yield f"    {bars(moment.acts)}"
        yield f"    the earlier was first with a probability of {percent(p_first)}"


BAR_LETTERS = 48


def bars(acts: tuple[Act, ...]) -> str:
    """Return both intervals on one line of letters: `[--A--]  [B]`."""
    from_ns = min(act.t_ns - act.u_ns for act in acts)
    span_ns = max(1, max(act.t_ns + act.u_ns for act in acts) - from_ns)

    def place(t_ns: int) -> int:
        return (t_ns - from_ns) * (BAR_LETTERS - 1) // span_ns

    rows = []
    for act in acts:
        row = [" "] * BAR_LETTERS
        low, middle, high = (place(t) for t in (act.t_ns - act.u_ns, act.t_ns, act.t_ns + act.u_ns))
        row[low : high + 1] = "-" * (high + 1 - low)
        row[middle] = act.seat
        rows.append("|" + "".join(row) + "|")
    return "\n    ".join(rows)


def _picture_lines(moment: Moment) -> Iterator[str]:
    if moment.clip is None:
        yield f"  pictures:  {moment.no_clip}"
        return
    frames = moment.clip.frames
    first, last = clock(frames[0].t_ns, 3), clock(frames[-1].t_ns, 3)
    yield f"  pictures:  {len(frames)} frames from {first} to {last}; --html FILE shows them"


def review_lines(dispute: Dispute) -> Iterator[str]:
    """Yield what was said and decided on a dispute."""
    for one in dispute.opened:
        yield f"  disputed {one.at_utc[:16]} by {one.by or 'somebody'}: {one.reason}"
    for review in dispute.reviews:
        yield f"  {review.verdict} {review.at_utc[:16]}: {review.reason}"
        for correction in review.corrections:
            how = "instead" if correction.how == "replace" else "put in"
            yield f"    {how}: {correction.line}"
        for ruling in review.withdrawn:
            yield f"    no longer: {ruling.n} {ruling.kind} {ruling.rule} {ruling.text}"
        for ruling in review.added:
            yield f"    now: {ruling.n} {ruling.kind} {ruling.rule} {ruling.text}"
