from metadata_only import *  # noqa: F403
