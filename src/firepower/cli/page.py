"""A page of text: 80 columns, aligned, with a little colour on a terminal."""

import os
import textwrap
from collections.abc import Iterator, Sequence

import click

WIDTH = 80
EIGHTHS = " ▏▎▍▌▋▊▉"


def write(text: str = "", *, bold: bool = False, dim: bool = False, colour: str = "") -> None:
    """Write a line; styles show on a terminal only, and never if NO_COLOR is set."""
    styled = click.style(text, bold=bold or None, dim=dim or None, fg=colour or None)
    plain = not text or bool(os.environ.get("NO_COLOR"))
    click.echo(text if plain else styled)


def write_wrapped(text: str, *, indent: int = 0, dim: bool = False, colour: str = "") -> None:
    """Write a paragraph, wrapped at the width of the page."""
    margin = " " * indent
    for line in textwrap.wrap(
        text,
        WIDTH,
        initial_indent=margin,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    ):
        write(line, dim=dim, colour=colour)


def columns(rows: Sequence[Sequence[str]], align: str, *, indent: int = 0) -> Iterator[str]:
    """Lines of aligned columns: `align` has < or > for each, two spaces stand between them."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [f"{cell:{a}{w}}" for cell, a, w in zip(row, align, widths, strict=True)]
        yield (" " * indent + "  ".join(cells)).rstrip()


def columns_and_text(rows: list[list[str]], align: str) -> Iterator[str]:
    """Aligned columns, of which the last is text that goes on below itself."""
    heads = list(columns([row[:-1] for row in rows], align, indent=0))
    room = min(max(map(len, heads)) + 2, WIDTH - 24)
    for head, row in zip(heads, rows, strict=True):
        lines = textwrap.wrap(row[-1], max(20, WIDTH - room), break_on_hyphens=False)
        beside = lines[:1] if len(head) < room else []
        yield f"{head:{room}}{''.join(beside)}".rstrip()
        for line in lines[len(beside) :]:
            yield " " * room + line


def bar(share: float, width: int) -> str:
    """A bar of block characters for a share from 0 to 1; what is not nothing shows."""
    eighths = round(share * width * 8)
    if share > 0:
        eighths = max(1, eighths)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()
