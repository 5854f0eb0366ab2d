"""The commands with which people and bots play: play, join, doctor, bot and arena; each hands on at once."""

import argparse

from parlour.client.cli.subcommand import Subcommand


def _play_arguments(parser: argparse.ArgumentParser) -> None:
    from parlour.client.cli.play import add_play

    add_play(parser)


def _join_arguments(parser: argparse.ArgumentParser) -> None:
    from parlour.client.cli.play import add_join

    add_join(parser)


def _play(given: argparse.Namespace) -> int:
    from parlour.client.cli.play import play

    return play(given)


def _doctor_arguments(parser: argparse.ArgumentParser) -> None:
    from parlour.client.cli.play import add_doctor

    add_doctor(parser)


def _doctor(given: argparse.Namespace) -> int:
    from parlour.client.cli.play import doctor

    return doctor(given)


def _bot_arguments(parser: argparse.ArgumentParser) -> None:
    from parlour.client.cli.bot import add_arguments

    add_arguments(parser)


def _bot(given: argparse.Namespace) -> int:
    from parlour.client.cli.bot import bot

    return bot(given)


def _arena_arguments(parser: argparse.ArgumentParser) -> None:
    from parlour.client.cli.arena import add_arguments

    add_arguments(parser)


def _arena(given: argparse.Namespace) -> int:
    from parlour.client.cli.arena import run

    return run(given)


PLAY = Subcommand("play", "play: find a server, or go to one, or play here", _play_arguments, _play)
JOIN = Subcommand("join", "sit down at a table by its code", _join_arguments, _play)
DOCTOR = Subcommand("doctor", "find out why a server cannot be reached", _doctor_arguments, _doctor)
BOT = Subcommand("bot", "let a bot play on a server", _bot_arguments, _bot)
ARENA = Subcommand(
    "arena", "let strategies play each other, and measure which is stronger", _arena_arguments, _arena
)
