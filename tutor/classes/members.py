"""Who is in a class: how they come in, what they are called there, and how they leave.

A class sees what somebody answered in it for as long as they are in it: whoever leaves takes the answers
along, whoever comes back brings them again. So it is with more time: only for those in the class others wait
until they are told what is right. Each change locks the class first, so that no two people in it have one
name, and that it never is without a teacher.
"""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext

from tutor.classes import working
from tutor.classes.models import Assignment, Classroom, Extension, Member
from tutor.people import codes, learners
from tutor.people.models import Account, folded
from tutor.practice.models import Attempt

_CODE_LENGTH = 8
# Whoever opens a class twice within so long has pressed twice.
_TWICE = timedelta(minutes=1)


class Opening(NamedTuple):
    """What a code opens to somebody. member: what they are or were in that class, if anything."""

    classroom: Classroom
    is_teacher: bool
    member: Member | None

    @property
    def is_in(self) -> bool:
        """Whether they are in it already."""
        return self.member is not None and self.member.left is None


def new_code() -> str:
    """A code that opens no class yet."""
    while True:
        code = plain(codes.drawn(_CODE_LENGTH))
        if not is_known(code):
            return code


def plain(code: str) -> str:
    """A code as it is compared: neither case nor width, spaces or hyphens make it another."""
    return "".join(c for c in folded(code) if c.isalnum())


def written(code: str) -> str:
    """A code as it is shown, in two halves."""
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}"


def in_order(name: str) -> bytes:
    """What names are sorted by: letters by the alphabet, the usual Chinese characters by their pinyin."""
    return folded(name).encode("gb18030")  # which has them in that order


def is_known(code: str) -> bool:
    """Whether a code is that of a class, whoever may join it."""
    return Classroom.objects.filter(_opened_by(plain(code))).exists()


def opening(code: str, learner_id: int, *, lock: bool = False) -> Opening | None:
    """What a code opens to a learner; None for an unknown code, and where they can't come in by it.

    Nobody comes in where a class is in the archive, or who was removed; pupils only while it is open to them.
    The teachers' code makes no teacher of who is or was a student: it would be found out by those who sit
    nearest to it. Whoever was a teacher and comes with the students' code comes as a student.
    """
    code = plain(code)
    rooms = Classroom.objects.select_for_update() if lock else Classroom.objects.all()
    room = rooms.filter(_opened_by(code)).first()
    if room is None:
        return None
    member = room.members.filter(learner=learner_id).first()
    if member is not None and member.left is None:
        return Opening(room, member.is_teacher, member)
    for_teachers = room.code != code
    is_shut = room.archived is not None or not (for_teachers or room.is_open)
    if is_shut or (member is not None and (member.is_barred or (for_teachers and not member.is_teacher))):
        return None
    return Opening(room, for_teachers, member)


def join(code: str, learner_id: int, name: str) -> Member | None:
    """Lets somebody in by a code; None where it opens nothing to them any more.

    The teachers' code is spent by that. Raises ValidationError in words where somebody in the class has the
    name.
    """
    with transaction.atomic():
        learner = learners.resolve(learner_id)
        found = opening(code, learner.pk, lock=True) if learner else None
        if learner is None or found is None:
            return None
        if found.member is not None and found.is_in:
            return found.member
        member = found.member or Member(classroom=found.classroom, learner=learner, joined=timezone.now())
        member.is_teacher = found.is_teacher
        _come_in(member, name)
        if found.is_teacher:
            _spend_teacher_code(found.classroom)
    return member


def begin(classroom: Classroom, learner_id: int, name: str) -> Member | None:
    """Opens a new class with its first teacher; None where that account is gone.

    Where they have just opened one of that name, it stays the only one.
    """
    now = timezone.now()
    with transaction.atomic():
        learner = learners.resolve(learner_id)
        if learner is None:
            return None
        just = {"classroom__name": classroom.name, "classroom__created__gt": now - _TWICE}
        made = Member.objects.filter(learner=learner, is_teacher=True, left=None, **just).first()
        if made is not None:
            return made
        classroom.code = new_code()
        classroom.save()
        return Member.objects.create(
            classroom=classroom, learner=learner, name=name, is_teacher=True, joined=now
        )


def rename(member: Member, name: str) -> None:
    """Calls a member something else. Raises ValidationError in words where somebody has the name."""
    with transaction.atomic():
        locked(member.classroom_id)
        _check_free(member, name)
        member.name = name
        member.save(update_fields=["name", "folded"])


def leave(member: Member) -> None:
    """Lets a member go. The class sees their answers no more.

    Raises ValidationError in words for the last teacher.
    """
    with transaction.atomic():
        locked(member.classroom_id)
        _leave(member)


def may_remove(teacher: Member, member: Member) -> bool:
    """Whether a teacher may remove somebody of their class, and let them in again: students, and teachers who
    joined after them."""
    return not member.is_teacher or (member.joined, member.pk) > (teacher.joined, teacher.pk)


def remove(member: Member, by: Member) -> None:
    """Lets a member go, whom no code brings back then. With a teacher goes the code that they know.

    Raises Http404 where the teacher may not do so, or is gone by now.
    """
    with transaction.atomic():
        room = locked(member.classroom_id)
        if not may_remove(by, member) or not _teachers(room).filter(pk=by.pk).exists():
            raise Http404
        _leave(member, barred=True)
        if member.is_teacher:
            _spend_teacher_code(room)


def take_back(member: Member) -> None:
    """Lets somebody who was removed in again, with their answers.

    Raises ValidationError in words where somebody else has their name by now.
    """
    with transaction.atomic():
        locked(member.classroom_id)
        _come_in(member, member.name)


def move(member: Member, into: Classroom) -> Member:
    """Lets a student leave for another class, where they are what they were here, with their password.

    Their work stays with the class that it was given by: it is there again when they are moved back. Raises
    ValidationError in words for an account of their own, which goes where its owner takes it, and where they
    are in the other class already, or somebody there has their name.
    """
    if not member.is_managed:
        raise ValidationError(
            gettext("Only accounts made for a class are moved. Others join the other class by its code.")
        )
    with transaction.atomic():
        for key in sorted((member.classroom_id, into.pk)):  # two who move can't wait for each other
            locked(key)
        there = into.members.filter(learner=member.learner_id).first()
        if there is None:
            there = Member(classroom=into, learner=member.learner, joined=timezone.now())
        elif there.left is None:
            raise ValidationError(
                gettext("%(name)s is in %(class)s already.") % {"name": there.name, "class": into.name}
            )
        there.is_teacher = False
        there.is_managed = True
        _come_in(there, member.name)
        _leave(member)
    return there


def locked(classroom_id: int) -> Classroom:
    """A class, locked until the transaction ends. Raises Http404 where it is gone."""
    return get_object_or_404(Classroom.objects.select_for_update(), pk=classroom_id)


def delete(classroom: Classroom) -> None:
    """Deletes a class with its places and what it gave. Answers stay with whoever gave them, and are told."""
    with transaction.atomic():
        locked(classroom.pk)
        given = Q(work__assignment__classroom=classroom) | Q(board__classroom=classroom)
        Attempt.objects.filter(given).update(visible=None)
        classroom.delete()


def first_teacher(classroom: Classroom) -> Member | None:
    """Of the teachers who are in a class the one who joined first."""
    return _teachers(classroom).order_by("joined", "pk").first()


def sole_classes(account: Account, *, lock: bool = False) -> list[Classroom]:
    """The classes that have no other teacher than an account's owner. lock: all where they teach, so that no
    other teacher leaves until the transaction ends."""
    taught = Member.objects.filter(learner__account=account, is_teacher=True, left=None)
    if lock:
        list(Classroom.objects.select_for_update().filter(pk__in=taught.values("classroom")).order_by("pk"))
    return list(
        Classroom.objects.filter(pk__in=taught.values("classroom"))
        .annotate(teachers=Count("members", filter=Q(members__is_teacher=True, members__left=None)))
        .filter(teachers=1)
        .order_by("pk")
    )


def extended(members: QuerySet[Member]) -> list[Assignment]:
    """The assignments that some have more time for, locked until the transaction ends.

    To be called before a member is locked, as in `working.begin`. When they have come or gone the assignments
    are to be sealed anew.
    """
    theirs = Extension.objects.filter(member__in=members).values("assignment")
    return list(Assignment.objects.select_for_update().filter(pk__in=theirs).order_by("pk"))


def _opened_by(code: str) -> Q:
    return Q(code=code) | Q(teacher_code=code)


def _come_in(member: Member, name: str) -> None:
    """Stores somebody as being in their class, which is locked, with what they answered there before."""
    _check_free(member, name)
    given = extended(Member.objects.filter(pk=member.pk))
    member.name = name
    member.left, member.is_barred = None, False
    member.save()
    theirs = Q(work__member=member) | Q(board__classroom=member.classroom_id)
    Attempt.objects.filter(theirs, learner=member.learner_id).update(classroom=member.classroom_id)
    for assignment in given:
        working.seal(assignment)


def _leave(member: Member, *, barred: bool = False) -> None:
    """Stores that somebody has left their class, which is locked. Raises Http404 where they had already."""
    given = extended(Member.objects.filter(pk=member.pk))
    # Locked for whoever begins a work at this moment.
    member = get_object_or_404(Member.objects.select_for_update(), pk=member.pk, left=None)
    if member.is_teacher and _others(member).filter(is_teacher=True).count() == 0:
        raise ValidationError(
            gettext("You are the only teacher. Let another teacher in first, or delete the class.")
        )
    member.left, member.is_barred = timezone.now(), barred
    member.save(update_fields=["left", "is_barred"])
    Attempt.objects.filter(learner=member.learner_id, classroom=member.classroom_id).update(classroom=None)
    for assignment in given:
        working.seal(assignment)


def _spend_teacher_code(room: Classroom) -> None:
    room.teacher_code = None
    room.save(update_fields=["teacher_code"])


def _teachers(room: Classroom) -> QuerySet[Member]:
    return room.members.filter(is_teacher=True, left=None)


def _check_free(member: Member, name: str) -> None:
    if _others(member).filter(folded=folded(name)).exists():
        raise ValidationError(
            gettext("Somebody in this class is called %(name)s already. Add a letter or a number.")
            % {"name": name}
        )


def _others(member: Member) -> QuerySet[Member]:
    return Member.objects.filter(classroom=member.classroom_id, left=None).exclude(pk=member.pk)
