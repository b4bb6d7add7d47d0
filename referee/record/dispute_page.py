"""The page of a disputed moment: the frames slowly, with what was seen in them marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from referee.notation import write_event
from referee.notation.spoken import zone_words
from referee.record.clips import Clip, ClipFrame, ClipStore
from referee.record.drawing import svg
from referee.record.errors import RecordError
from referee.record.marking import marked
from referee.record.moments import Moment, dispute_kind, dispute_words, review_lines
from referee.record.pages import heading, page, paragraph, picture_address, table
from referee.record.plots import clock, race_picture, trace_picture
from referee.record.texts import canonical
from referee.record.words import event_words, race_words, sentence, unseen_words

# 6 s at 30 frames a second are 180 frames of 60 kB; half of them still show every tenth of a
# second at three frames, and the page stays below 8 MB.
MOST_FRAMES = 90

STYLE = """
.player{position:relative;background:#000;border-radius:6px;overflow:hidden}
.player img{width:100%;border-radius:0}
.player svg{position:absolute;inset:0;width:100%;height:100%;max-width:none}
.player polygon{fill:none;stroke-width:3;vector-effect:non-scaling-stroke}
.card{stroke:#00e0a0}.back{stroke:#56b4e9}.unread{stroke:#ffb000;stroke-dasharray:6 4}
.hand{stroke:#ff7ad9}
.player text{font-size:20px;fill:#fff;paint-order:stroke;stroke:#000;stroke-width:4px}
.player text.score{font-size:13px}
.controls{display:flex;gap:8px;align-items:center;margin:10px 0;flex-wrap:wrap}
.controls input[type=range]{flex:1 1 240px;accent-color:#0072b2}
.controls button,.controls select{font:inherit;padding:6px 12px;border:1px solid var(--line);
border-radius:6px;background:var(--field);color:var(--ink);cursor:pointer}
.controls output{min-width:15ch;font-variant-numeric:tabular-nums;text-align:right}
.now{font-weight:600}
"""

SCRIPT = """
const clip=JSON.parse(document.getElementById('clip').textContent);
const img=document.querySelector('.player img'),layer=document.querySelector('.player svg');
const bar=document.getElementById('bar'),out=document.getElementById('out');
const go=document.getElementById('go'),pace=document.getElementById('pace');
let at=clip.start,timer=null;
const NS='http://www.w3.org/2000/svg';
function add(kind,attrs,text){const e=document.createElementNS(NS,kind);
for(const k in attrs)e.setAttribute(k,attrs[k]);if(text)e.textContent=text;layer.append(e)}
function show(i){at=Math.max(0,Math.min(clip.frames.length-1,i));const f=clip.frames[at];
img.src=f.src;layer.setAttribute('viewBox','0 0 '+f.w+' '+f.h);layer.replaceChildren();
for(const m of f.marks){if(m.quad)add('polygon',{points:m.quad,class:m.kind});
if(m.text){add('text',{x:m.at[0],y:m.at[1],'text-anchor':'middle'},m.text);
add('text',{x:m.at[0],y:m.at[2],'text-anchor':'middle',class:'score'},m.score)}}
bar.value=at;const d=(f.ms>=0?'+':'\\u2212')+Math.abs(f.ms).toFixed(0);
out.textContent=f.clock+'  '+d+' ms';
for(const r of document.querySelectorAll('tr[data-ms]'))
r.classList.toggle('now',Math.abs(Number(r.dataset.ms)-f.ms)<60)}
function stop(){clearTimeout(timer);timer=null;go.textContent='Play'}
function step(){if(at>=clip.frames.length-1){stop();return}
const wait=(clip.frames[at+1].ms-clip.frames[at].ms)/Number(pace.value);
timer=setTimeout(()=>{show(at+1);step()},Math.max(5,wait))}
go.onclick=()=>{if(timer){stop();return}if(at>=clip.frames.length-1)show(0);
go.textContent='Stop';step()};
bar.oninput=()=>{stop();show(Number(bar.value))};
document.getElementById('back').onclick=()=>{stop();show(at-1)};
document.getElementById('on').onclick=()=>{stop();show(at+1)};
document.onkeydown=e=>{if(e.target.tagName==='INPUT')return;
if(e.key==='ArrowLeft'){stop();show(at-1)}
if(e.key==='ArrowRight'){stop();show(at+1)}};
show(at);
"""


def dispute_page(moment: Moment, store: ClipStore) -> str:
    """Return the page of a moment, with its frames inside."""
    story, dispute = moment.story, moment.dispute
    title = f"{story.head.match.id}, dispute {dispute.n}"
    frames = tuple(_frames(moment, store)) if moment.clip else ()
    body = [*_opening(moment), *_film(moment, frames), *_axis(moment), *_rest(moment)]
    return page(title, body, STYLE, SCRIPT if frames else "")


def _opening(moment: Moment) -> Iterator[str]:
    story, dispute = moment.story, moment.dispute
    ruling = dispute.ruling
    yield paragraph(f"{story.head.match.id}, dispute {dispute.n}", "soft")
    yield heading(f"{dispute_kind(dispute).capitalize()} at {clock(ruling.t_ns, 3)}", 1)
    yield paragraph(sentence(dispute_words(story, dispute)), "big")
    if dispute.state:
        yield paragraph(f"This dispute is {dispute.state}.", "note")
    norm = moment.norm or "The sentence of this rule was not recorded."
    yield f"<blockquote><b>{escape(ruling.rule)}</b><br>{escape(norm)}</blockquote>"


def _film(moment: Moment, frames: Sequence[dict[str, object]]) -> Iterator[str]:
    if not frames:
        why = moment.no_clip or "the frames are gone"
        yield paragraph(f"There is nothing to look at: {why}.", "note")
        return
    start = min(range(len(frames)), key=lambda i: abs(float(str(frames[i]["ms"]))))
    data = canonical({"start": start, "frames": frames}).replace("<", "\\u003c")
    first = escape(str(frames[start]["src"]), quote=True)
    yield (
        f'<div class="player"><img src="{first}" alt="the table at the disputed moment">'
        '<svg aria-hidden="true"></svg></div>'
        '<div class="controls"><button id="go">Play</button>'
        '<button id="back" aria-label="one frame back">◂</button>'
        f'<input id="bar" type="range" min="0" max="{len(frames) - 1}" value="{start}" '
        'aria-label="frame"><button id="on" aria-label="one frame on">▸</button>'
        '<select id="pace" aria-label="speed"><option value="0.1">slow, 1/10</option>'
        '<option value="0.25" selected>slow, 1/4</option><option value="1">as it was</option>'
        '</select><output id="out"></output></div>'
        f'<script id="clip" type="application/json">{data}</script>'
    )
    yield paragraph(
        "Green: a card that was read, and how probable that is. Blue: a card face down. "
        "Dashed: seen, not read. Pink: a hand. Times are those of the match; the second figure "
        "counts from the ruled event.",
        "soft",
    )


def _frames(moment: Moment, store: ClipStore) -> Iterator[dict[str, object]]:
    assert moment.clip is not None
    clip, zero_ns = moment.clip, moment.dispute.ruling.t_ns
    step = -(-len(clip.frames) // MOST_FRAMES)
    for frame in clip.frames[::step]:
        try:
            jpeg = store.get(frame.sha256, "jpg")
        except RecordError:
            # One frame is gone; those that are there are shown.
            continue
        yield {
            "src": picture_address(jpeg),
            "w": frame.width_px,
            "h": frame.height_px,
            "ms": round((frame.t_ns - zero_ns) / 1e6, 3),
            "clock": clock(frame.t_ns, 3),
            "marks": list(_marks(clip, frame)),
        }


def _marks(clip: Clip, frame: ClipFrame) -> Iterator[dict[str, object]]:
    """Yield what was last seen before a frame, as the page's script draws it."""
    for one in marked(clip, frame):
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in one.corners_px)
        low_px = max((y for _, y in one.corners_px), default=one.at_px[1])
        mark: dict[str, object] = {"kind": one.kind, "quad": corners}
        if one.label:
            # Never rounded to certainty.
            score = f"{one.score:.2f}" if one.score < 0.995 else "> 0.99"
            mark |= {"text": one.label, "score": score}
            mark["at"] = [round(one.at_px[0], 1), round(one.at_px[1] + 7, 1), round(low_px + 13, 1)]
        yield mark


def _axis(moment: Moment) -> Iterator[str]:
    ruling = moment.dispute.ruling
    if ruling.kind != "RACE":
        return
    yield heading("Who was first")
    yield paragraph(sentence(race_words(moment.story, ruling, moment.acts)))
    if moment.acts:
        yield svg(race_picture(moment.story, ruling, moment.acts))
        yield paragraph(
            "Each bar holds the true time of the act with 95 %; the stroke is its likeliest time.",
            "soft",
        )


def _rest(moment: Moment) -> Iterator[str]:
    ruling = moment.dispute.ruling
    yield heading("What happened")
    yield _event_table(moment)
    yield heading("What was not seen")
    names = moment.story.head.names
    gaps = "; ".join(unseen_words(gap, names) for gap in moment.unseen)
    yield paragraph(sentence(gaps or "nothing was out of view at that time"))
    if moment.devices:
        yield heading("What the devices said")
        cells = ((clock(one.t_ns, 3), one.device, one.text or one.state) for one in moment.devices)
        yield table(("time", "device", "said"), cells)
    if moment.clip and moment.clip.traces:
        yield heading("What the pads felt")
        for trace in moment.clip.traces:
            spot = zone_words(trace.spot, names)
            yield paragraph(f"The pad of {spot} from {clock(trace.t_ns, 6)} on:", "soft")
            yield svg(trace_picture(trace, spot))
    if lines := tuple(review_lines(moment.dispute)):
        yield heading("What was decided")
        yield from (paragraph(line.strip()) for line in lines)
    in_force = {option.name: option.value for option in moment.story.head.options}
    if ruling.options:
        options = ", ".join(f"{name} = {in_force.get(name, '?')}" for name in ruling.options)
        yield paragraph(f"Options that this ruling depends on: {options}.", "soft")
    digest = f'<span class="hash">{moment.story.head_hash}</span>'
    yield f'<p class="soft">Head hash of the log: {digest}</p>'


def _event_table(moment: Moment) -> str:
    zero_ns, names = moment.dispute.ruling.t_ns, moment.story.head.names
    rows = []
    for event in moment.events:
        ms = (event.t_ns - zero_ns) / 1e6
        line = escape(write_event(event), quote=True)
        who = names.get(event.actor.seat or "", "")
        what = event_words(event, names)
        cells = (str(event.n), clock(event.t_ns, 3), f"{ms:+.0f} ms", who, what)
        inside = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        rows.append(f'<tr data-ms="{ms:.1f}" title="{line}">{inside}</tr>')
    head = "".join(f"<th>{name}</th>" for name in ("event", "time", "", "who", "what"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
