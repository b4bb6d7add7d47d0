"""A report as one web page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from referee.record.blocks import (
    Block,
    Fold,
    Heading,
    Photo,
    Photos,
    Plot,
    Quote,
    Table,
    Text,
    Title,
)
from referee.record.drawing import svg
from referee.record.pages import figure, heading, page, paragraph, table


def report_html(blocks: Sequence[Block]) -> str:
    """Return the page of a report."""
    title = next((block.text for block in blocks if isinstance(block, Title)), "match report")
    return page(title, (part for block in blocks for part in _parts(block)))


def _parts(block: Block) -> Iterator[str]:
    match block:
        case Title():
            yield paragraph(block.above, "soft")
            yield heading(block.text, 1)
            yield paragraph(block.below, "soft")
        case Heading():
            yield heading(block.text, 3 if block.small else 2)
        case Text():
            yield paragraph(block.text, "soft" if block.soft else "big" if block.strong else "")
        case Quote():
            yield f"<blockquote><b>{escape(block.rule)}</b><br>{escape(block.norm)}</blockquote>"
        case Table():
            yield table(block.head, block.rows, block.numbers)
        case Plot():
            caption = f"<figcaption>{escape(block.caption)}</figcaption>" if block.caption else ""
            yield f"<figure>{svg(block.drawing)}{caption}</figure>"
        case Photos():
            yield f'<div class="frames">{"".join(map(_photo, block.photos))}</div>'
        case Fold():
            inside = table(block.table.head, block.table.rows, block.table.numbers)
            yield f"<details><summary>{escape(block.title)}</summary>{inside}</details>"


def _photo(photo: Photo) -> str:
    return figure(photo.jpeg, photo.caption, svg(photo.drawing) if photo.drawing else "")
