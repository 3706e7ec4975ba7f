"""Pictures that move: frames of marks on a grid of controls, drawn and worded in Python, moved by one small script."""

from lifelong_book.press.moving.picture import Control, Frame, Picture, choice, moving, slider, stream

__all__ = ["Control", "Frame", "Picture", "choice", "moving", "slider", "stream"]
