"""The pictures of the chapters: functions that take data and return a figure, one module a notebook."""
