"""Self-contained web pages: one file with its style, its drawings and its pictures inside."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root{color-scheme:light dark;--ink:#1b1e23;--soft:#5d6470;--line:#d9dce2;--paper:#fff;
--field:#f5f6f8;--bad:#b3261e;--good:#1a7f4b}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaee;--soft:#a2a9b5;--line:#3a3f48;
--paper:#16181c;--field:#1f2227;--bad:#ff8a80;--good:#6fd6a0}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:860px;padding:32px 24px 64px;background:var(--paper);
color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h1{font-size:28px;line-height:1.2;margin:0 0 4px}
h2{font-size:19px;margin:36px 0 10px;padding-top:10px;border-top:1px solid var(--line)}
h3{font-size:16px;margin:22px 0 6px}
p{margin:6px 0}
.soft{color:var(--soft)}.bad{color:var(--bad)}.good{color:var(--good)}
.big{font-size:19px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:5px 10px 5px 0;border-bottom:1px solid var(--line);
vertical-align:top}
th{font-weight:600;color:var(--soft);font-size:13px}
td:nth-child(-n+2){white-space:nowrap}
td.number,th.number{text-align:right}
svg{max-width:100%;height:auto;display:block;font-family:inherit}
figure{margin:10px 0}
figcaption{font-size:13px;color:var(--soft)}
img{max-width:100%;height:auto;display:block;border-radius:4px}
.shot{position:relative}.shot svg{position:absolute;inset:0;width:100%;height:100%}
.frames{display:grid;grid-template-columns:repeat(auto-fit,minmax(230px,1fr));gap:10px}
code,.hash{font:13px/1.5 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}
.hash{overflow-wrap:anywhere}
.note{background:var(--field);padding:10px 14px;border-radius:6px;margin:10px 0}
blockquote{margin:8px 0;padding:2px 14px;border-left:3px solid var(--line)}
details{margin:6px 0}summary{cursor:pointer}
section.case{break-inside:avoid}
@media print{body{max-width:none;padding:0}h2{break-after:avoid}details{display:block}}
"""


def page(title: str, body: Iterable[str], more_style: str = "", script: str = "") -> str:
    """Return a whole page; `body` is HTML, `title` plain text."""
    code = f"<script>{script}</script>" if script else ""
    # Nothing may be fetched: the page stands alone for as long as the file does.
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src "
    policy += "'unsafe-inline'" if script else "'none'"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}{more_style}</style></head>"
        f"<body><main>{''.join(body)}</main>{code}</body></html>\n"
    )


def paragraph(text: str, kind: str = "") -> str:
    """Return a paragraph of plain text."""
    mark = f' class="{kind}"' if kind else ""
    return f"<p{mark}>{escape(text)}</p>"


def heading(text: str, level: int = 2) -> str:
    """Return a heading of plain text."""
    return f"<h{level}>{escape(text)}</h{level}>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """Return a table of plain texts; the columns in `numbers` stand to the right."""
    marks = [' class="number"' if i in numbers else "" for i in range(len(head))]
    top = "".join(f"<th{m}>{escape(t)}</th>" for m, t in zip(marks, head, strict=True))
    lines = (
        "".join(f"<td{m}>{escape(t)}</td>" for m, t in zip(marks, row, strict=True)) for row in rows
    )
    inside = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{inside}</tbody></table>"


def picture_address(jpeg: bytes) -> str:
    """Return a JPEG as an address that holds it."""
    return f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode('ascii')}"


def figure(jpeg: bytes, caption: str, over: str = "") -> str:
    """Return a picture with a caption; `over` is an SVG element of its size that lies over it."""
    address = picture_address(jpeg)
    says = escape(caption, quote=True)
    return (
        f'<figure><div class="shot"><img src="{address}" alt="{says}">{over}</div>'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )
