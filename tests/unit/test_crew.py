"""Work shared out among processes brings what it would bring here."""

import multiprocessing
import os
import pickle
import time

import pytest

from dsl import load
from dsl.judge.compiled import Compiled
from tests.conftest import SMALL
from verifier import checking, counts, verify
from verifier.crew import Crew
from verifier.properties import usual_codes
from verifier.study import Results
from verifier.tallies import Tally


def square(number: int) -> tuple[int, int]:
    """With the process that worked it out."""
    return number * number, os.getpid()


def only_here(parent: int) -> int:
    """Fails in any process but that one."""
    if os.getpid() != parent:
        raise OSError
    return parent


def for_ever(number: int) -> int:
    time.sleep(600 * number)
    return number


def begun_elsewhere(crew: Crew[int, object], job: int) -> None:
    """Wait until another process has the job."""
    while job not in crew._begun:
        time.sleep(0.01)


def test_results_come_in_order_from_here_and_from_elsewhere() -> None:
    with Crew(square, range(6), 1) as crew:
        begun_elsewhere(crew, 5)
        found = [crew.result(job) for job in range(6)]
    assert [number for number, _ in found] == [0, 1, 4, 9, 16, 25]
    assert found[5][1] != os.getpid()


def test_without_helpers_everything_is_done_here() -> None:
    with Crew(square, [3, 4], 0) as crew:
        assert [crew.result(0), crew.result(1)] == [(9, os.getpid()), (16, os.getpid())]


def test_what_fails_elsewhere_is_done_here() -> None:
    with Crew(only_here, [os.getpid()], 1) as crew:
        begun_elsewhere(crew, 0)
        assert crew.result(0) == os.getpid()


def test_what_a_killed_process_had_is_done_here() -> None:
    with Crew(for_ever, [0, 1], 1) as crew:
        begun_elsewhere(crew, 1)
        for process in crew._processes:
            process.kill()
        assert crew.result(1, lambda job: job + 1) == 2


def test_nobody_waits_for_what_is_not_asked_for() -> None:
    with Crew(for_ever, [0, 1], 1) as crew:
        begun_elsewhere(crew, 1)
        working = crew._processes
    for process in working:
        process.join(30)
    assert not any(process.is_alive() for process in working)
    assert not set(working) & set(multiprocessing.active_children())


def test_an_error_is_raised_as_it_is_here() -> None:
    with Crew(only_here, [0], 1) as crew, pytest.raises(OSError):
        begun_elsewhere(crew, 0)
        crew.result(0)


GAME = str(SMALL / "两句.pai")


def test_the_answers_do_not_depend_on_the_number_of_processes() -> None:
    alone, shared = verify(GAME), verify(GAME, workers=2)
    assert alone.to_json("zh")["findings"] == shared.to_json("zh")["findings"]
    assert alone.unknown == shared.unknown
    assert alone.notes == shared.notes
    several = list(checking.verify_many([load(GAME).core] * 3, usual_codes(), 2))
    assert [report.findings for report in several] == [alone.findings] * 3


def test_counts_do_not_depend_on_the_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    game, here = load(str(SMALL / "两句神.pai")), counts._tally
    alone = counts.count_all(game).to_json()
    assert game.core.memo  # what only this process can use is not sent
    assert counts.count_all(game, workers=2).to_json() == alone
    there: list[str] = []

    def elsewhere(_: Compiled, job: counts._Job) -> Tally:
        job = pickle.loads(pickle.dumps(job))
        there.append(job.name)
        found: Tally = pickle.loads(pickle.dumps(here(counts._compiled(job.game), job)))
        return found

    monkeypatch.setattr(counts, "_tally", elsewhere)
    assert counts.count_all(game).to_json() == alone
    assert set(there) == set(counts.TALLIES)


def test_what_another_process_finds_comes_over_whole() -> None:
    game = load(GAME)
    verify(game)
    parts = checking._parts(usual_codes())
    found = checking._parts_of((game.core, game.loader, parts))
    assert found.found
    assert isinstance(pickle.loads(pickle.dumps(found)), Results)
    assert pickle.loads(pickle.dumps(found)) == found
