"""click in two languages: help texts are pairs, verbs load when called, usage errors are diagnostics."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..text.diagnostics import Diagnostic
from ..text.source import NOWHERE
from ..text.spelling import closest
from .language import Words, asked_language, pick

if TYPE_CHECKING:
    from . import Verb

F = TypeVar("F", bound=Callable[..., Any])

PHRASES = {
    r"^Usage: ": "用法：",
    r"^Options:": "选项：",
    r"^Commands:": "命令：",
    r"\[OPTIONS\]": "[选项]",
    r"COMMAND \[ARGS\]\.\.\.": "命令 …",
    r"Show this message and exit\.": "显示这段说明",
    r"Show the version and exit\.": "显示版本号",
}
"""What click says by itself in a help text, and its Chinese."""


def in_chinese(text: str) -> str:
    """A help text with click's own phrases in Chinese."""
    for phrase, chinese in PHRASES.items():
        text = re.sub(phrase, chinese, text, flags=re.MULTILINE)
    return text


class _Spoken(click.Command):
    """A command whose help is a pair of texts."""

    def __init__(self, *args: Any, words: Words = ("", ""), **more: Any) -> None:
        super().__init__(*args, **more)
        self.words = words

    def get_help(self, ctx: click.Context) -> str:
        lang = asked_language()
        self.help = pick(self.words, lang)
        text = super().get_help(ctx)
        return in_chinese(text) if lang == "zh" else text


class _SpokenOption(click.Option):
    def __init__(self, *args: Any, words: Words = ("", ""), **more: Any) -> None:
        super().__init__(*args, **more)
        self.words = words

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        self.help = pick(self.words, asked_language())
        return super().get_help_record(ctx)


def verb(name: str, zh: str, en: str) -> Callable[[Callable[..., Any]], click.Command]:
    """`@click.command` with help in both languages."""
    return click.command(name, cls=_Spoken, words=(zh, en))


def option(*names: str, zh: str, en: str, **more: Any) -> Callable[[F], F]:
    """`@click.option` with help in both languages."""
    return click.option(*names, cls=_SpokenOption, words=(zh, en), **more)


lang_option = option(
    "--lang", type=click.Choice(["zh", "en"]), zh="消息用哪种语言", en="language of the messages"
)
json_option = option(
    "--json", "as_json", is_flag=True, zh="把结果写成 JSON，交给别的程序", en="print the result as JSON"
)


class VerbGroup(_Spoken, click.Group):
    """The command `paigui`: a verb's module is imported when the verb is called, not before."""

    def __init__(self, *args: Any, verbs: Mapping[str, Verb], **more: Any) -> None:
        super().__init__(*args, **more)
        self.verbs = dict(verbs)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = self.verbs.get(cmd_name)
        if found is None:
            return None
        command = getattr(import_module(found.module), found.attribute)
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.verbs and not args[0].startswith("-"):
            near = closest(args[0], self.verbs)
            raise Usage(_reason(f"没有命令 `{args[0]}`", f"no such command `{args[0]}`", near), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lang = asked_language()
        with formatter.section("Commands"):
            formatter.write_dl([(name, pick((v.zh, v.en), lang)) for name, v in self.verbs.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Without click's own handling of closed pipes, which would exit with 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ClosedPipe from error


class ClosedPipe(Exception):
    """Whoever read our output has stopped."""


# ---------------------------------------------------------------- usage errors


class Usage(click.UsageError):
    """A wrong call, said with a diagnostic."""

    def __init__(self, diagnostic: Diagnostic, ctx: click.Context | None = None) -> None:
        super().__init__(diagnostic.message("en"), ctx)
        self.diagnostic = diagnostic


def complaint(zh: str, en: str) -> Diagnostic:
    """A fault of the call itself, in both languages."""
    return _reason(zh, en, None)


def usage_fault(error: click.UsageError) -> Diagnostic:
    """A usage error as a diagnostic: ours as it is, click's with its Chinese where we have one."""
    if isinstance(error, Usage):
        return error.diagnostic
    said = error.format_message().rstrip(".")
    match error:
        case click.NoSuchOption():
            near = next(iter(error.possibilities or ()), None)
            name = error.option_name
            return _reason(f"没有选项 `{name}`", f"no such option `{name}`", near)
        case click.MissingParameter():
            return _reason(f"缺少参数 `{_hint(error)}`", f"missing argument `{_hint(error)}`", None)
        case click.BadOptionUsage():
            name = error.option_name
            return _reason(f"选项 `{name}` 后面要写值", f"option `{name}` needs a value", None)
        case click.BadParameter() if isinstance(error.param and error.param.type, click.Choice):
            return _choice(error)
        case click.BadParameter() if isinstance(error.param and error.param.type, click.types.IntParamType):
            return _number(error)
        case _ if extra := re.search(r"unexpected extra arguments? \((.*)\)", said):
            return _reason(f"多出了参数 `{extra[1]}`", f"unexpected argument `{extra[1]}`", None)
        case _:
            return _reason(said, said, None)


def _choice(error: click.BadParameter) -> Diagnostic:
    kind = error.param.type if error.param is not None else None
    allowed: Sequence[Any] = kind.choices if isinstance(kind, click.Choice) else ()
    listed = [f"`{value}`" for value in allowed]
    name = _hint(error)
    return _reason(f"`{name}` 只能取 {'、'.join(listed)}", f"`{name}` must be {' or '.join(listed)}", None)


def _number(error: click.BadParameter) -> Diagnostic:
    least = getattr(error.param and error.param.type, "min", None)
    zh, en = ("", "") if least is None else (f"，至少 {least}", f", {least} at least")
    name = _hint(error)
    return _reason(f"`{name}` 要一个整数{zh}", f"`{name}` must be a whole number{en}", None)


def _hint(error: click.BadParameter) -> str:
    """The parameter as the user writes it: `--lang`, `PATH`."""
    if error.param is None:
        return ""
    longest = max(error.param.opts, key=len)
    return longest if longest.startswith("-") else error.param.human_readable_name


def _reason(zh: str, en: str, near: str | None) -> Diagnostic:
    values: dict[str, object] = {"reason": (zh, en)}
    if near is not None:
        values["help"] = (f"是不是 `{near}`？", f"did you mean `{near}`?")
    return Diagnostic("U003", NOWHERE, values)
