"""The answers to the last commands are remembered, whatever they were; the oldest make room for new ones."""

from parlour.server.people.remembered import OK, REMEMBERED, RememberedAnswers


def given(*answers: tuple[int, bytes]) -> RememberedAnswers:
    remembered = RememberedAnswers()
    for id, answer in answers:
        remembered.expect(id)
        assert remembered.give(id, answer)
    return remembered


def test_an_answer_is_given_once() -> None:
    answers = given((1, OK), (2, b"refused"))
    assert not answers.give(1, b"other") and not answers.give(2, OK)
    assert (answers.get(1), answers.get(2), answers.get(3)) == (OK, b"refused", None)


def test_a_command_without_an_answer_is_known_and_never_forgotten() -> None:
    answers = RememberedAnswers()
    answers.expect(1)
    for id in range(2, REMEMBERED + 10):
        answers.expect(id)
        answers.give(id, OK)
    assert 1 in answers and answers.get(1) is None
    assert len(answers) == REMEMBERED


def test_the_oldest_answer_goes_first_whatever_it_was() -> None:
    answers = given(*((id, OK if id % 3 else b"refused") for id in range(1, REMEMBERED + 6)))
    assert sorted(answers) == list(range(6, REMEMBERED + 6))
