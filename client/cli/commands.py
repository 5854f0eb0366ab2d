"""Every word after `parlour`: its summary, and what is imported once it is chosen."""

from collections.abc import Callable

from parlour.client.cli.subcommand import Loaded, Subcommand


def _play() -> Loaded:
    from parlour.client.cli.play import add_play, play

    return Loaded(add_play, play)


def _join() -> Loaded:
    from parlour.client.cli.play import add_join, play

    return Loaded(add_join, play)


def _doctor() -> Loaded:
    from parlour.client.cli.play import add_doctor, doctor

    return Loaded(add_doctor, doctor)


def _serve() -> Loaded:
    from parlour.client.cli.serve import add_arguments, serve

    return Loaded(add_arguments, serve)


def _bot() -> Loaded:
    from parlour.client.cli.bot import add_arguments, bot

    return Loaded(add_arguments, bot)


def _arena() -> Loaded:
    from parlour.client.cli.arena import add_arguments, run

    return Loaded(add_arguments, run)


def _tournament() -> Loaded:
    from parlour.client.cli.tournament.commands import add_arguments, run

    return Loaded(add_arguments, run)


def _demo() -> Loaded:
    from parlour.client.cli.demo import add_arguments, demo

    return Loaded(add_arguments, demo)


def _of_records(name: str) -> Callable[[], Loaded]:
    def load() -> Loaded:
        from parlour.client.cli.records.commands import COMMANDS

        return COMMANDS[name]

    return load


def _conform() -> Loaded:
    from parlour.client.cli.conforming.command import add_arguments, conform

    return Loaded(add_arguments, conform)


def _scenario() -> Loaded:
    from parlour.client.cli.rules_commands import add_files, scenario

    return Loaded(add_files, scenario)


def _rules() -> Loaded:
    from parlour.client.cli.rules_commands import add_game, rules

    return Loaded(add_game, rules)


def _schema() -> Loaded:
    from parlour.client.cli.rules_commands import add_nothing, print_schema

    return Loaded(add_nothing, print_schema)


def _completion() -> Loaded:
    from parlour.client.cli.completion import add_shell, print_completion

    return Loaded(add_shell, print_completion)


SUBCOMMANDS: tuple[Subcommand, ...] = (
    Subcommand("play", "play, as parlour alone does: on a server found or named, or here", _play),
    Subcommand("join", "sit down at a table by its code", _join),
    Subcommand("serve", "open a server, so that others can join and play", _serve),
    Subcommand("doctor", "find out why a server cannot be reached", _doctor),
    Subcommand("bot", "let a bot play on a server", _bot),
    Subcommand("conform", "put a client of any language through what the protocol asks for", _conform),
    Subcommand("arena", "let strategies play each other, and measure which is stronger", _arena),
    Subcommand("tournament", "create, enter, watch, export and verify tournaments", _tournament),
    Subcommand("demo", "watch a game between players who move at random", _demo),
    Subcommand("games", "list the games that an archive keeps", _of_records("games")),
    Subcommand("replay", "watch a game that was played, move by move", _of_records("replay")),
    Subcommand("hint", "what a bot would have played at a moment of a game, and why", _of_records("hint")),
    Subcommand("verify", "check a game's moves, random outcomes and hash", _of_records("verify")),
    Subcommand("export", "write a game of the archive into a file", _of_records("export")),
    Subcommand("import", "add a game from a file to the archive", _of_records("import")),
    Subcommand("backup", "copy an archive, also while its server runs", _of_records("backup")),
    Subcommand("copy", "move a whole archive into another file or database", _of_records("copy")),
    Subcommand("stats", "games, wins, streaks and who beats whom", _of_records("stats")),
    Subcommand("rules", "read the rules of a game", _rules),
    Subcommand("scenario", "check rules cases written as JSON files", _scenario),
    Subcommand("schema", "print all messages of the protocol as a JSON Schema", _schema),
    Subcommand("completion", "print a script that completes commands in your shell", _completion),
)
