"""Following one camera: opened, looked through, and opened again when it went away."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final, NoReturn, assert_never

from controller.app.camera.hearing import BEAT_S
from controller.app.camera.looking import VOTING, Looker
from controller.app.camera.newest import paced
from controller.app.camera.noticing import Came, Change, Unread, Went
from controller.app.camera.settings import EyeSettings
from drivers.session import Backoff
from vision.capture import Frame, Source, opened
from vision.errors import VisionError
from vision.health import Trouble

BACKOFF: Final = Backoff(initial_s=0.5, maximum_s=5.0)

SLOW: Final = (
    f"fewer than {VOTING.looks} looks in {VOTING.window_ms // 1000} s: no card settles; the machine is too busy, "
    "or the camera gives too few pictures"
)

Tell = Callable[[dict[str, object]], None]
Beat = Callable[[], None]


def follow(settings: EyeSettings, tell: Tell, beat: Beat) -> NoReturn:
    """Look for ever; ``tell`` takes messages as `controller.adapters.camera` describes them, ``beat`` is called at each
    look and each attempt to open the camera. Raises VisionError, one line, where the settings name files that cannot
    be used."""
    words = Words(settings, Looker(settings), tell, beat)
    attempt = 0
    while True:
        beat()
        looks = 0
        try:
            with opened(settings.source) as source:
                looks = words.follow(source)
                while not source.live:
                    beat()
                    time.sleep(BEAT_S)
        except VisionError as error:
            words.down(str(error))
        attempt = 0 if looks else attempt + 1
        time.sleep(BACKOFF.delay_s(attempt))


class Words:
    """What a camera's looks come to in messages; each thing is said once."""

    def __init__(
        self,
        settings: EyeSettings,
        looker: Looker,
        tell: Tell,
        beat: Beat,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing has been said yet. ``clock_s`` is when looks are taken."""
        self._settings = settings
        self._looker = looker
        self._tell = tell
        self._beat = beat
        self._clock_s = clock_s
        self._up: bool | None = None
        self._looked_s: deque[float] = deque(maxlen=VOTING.looks)
        self._slow = False
        self._troubles: tuple[Trouble, ...] = ()

    def follow(self, source: Source) -> int:
        """Look at a source until it ends or gives what cannot be read; how many looks that were."""
        looks = 0
        self._looker.anew()
        self._looked_s.clear()
        try:
            with paced(source) as frames:
                for frame in frames:
                    began_s = time.monotonic()
                    self.take(frame)
                    looks += 1
                    if source.live:
                        time.sleep(max(0.0, began_s + 1 / self._settings.looks_per_s - time.monotonic()))
        except VisionError as error:
            self.down(str(error))
        self.down(source.ended)
        return looks

    def take(self, frame: Frame) -> None:
        """One look. Raises VisionError where the frame has another size than calibrated."""
        self._beat()
        look = self._looker.look(frame)
        for troubles, others, cleared in (
            (look.troubles, self._troubles, False),
            (self._troubles, look.troubles, True),
        ):
            for trouble in troubles:
                if trouble not in others:
                    self._tell({"fault": trouble.value, "reason": trouble.sentence, "cleared": cleared})
        self._troubles = look.troubles
        self._mind_pace()
        if look.troubles:
            self.down(look.troubles[0].sentence)
        elif not self._up:
            self._up = True
            self._tell({"link": "up"})
        for change in look.changes:
            self._tell(self._message(change))

    def _mind_pace(self) -> None:
        """Say that no card can settle where looks come too seldom, and that it is over."""
        self._looked_s.append(self._clock_s())
        full = len(self._looked_s) == VOTING.looks
        slow = full and self._looked_s[-1] - self._looked_s[0] > VOTING.window_ms / 1000
        if slow != self._slow:
            self._slow = slow
            self._tell({"fault": "slow", "reason": SLOW, "cleared": not slow})

    def down(self, reason: str) -> None:
        """Nothing that the camera shows can be believed now."""
        if self._up is not False:
            self._up = False
            self._tell({"link": "down", "reason": reason})

    def _message(self, change: Change) -> dict[str, object]:
        position = self._settings.positions[change.region]
        match change:
            case Came(_, face):
                return {"card": face, "at": position}
            case Went(_, face):
                return {"gone": face, "at": position}
            case Unread(_, reason):
                return {"unread": reason, "at": position}
            case _:
                assert_never(change)
