"""The parameters of StackelbergRegressor and the settings that the library declares."""

import inspect
import unittest

from stackelberg import StackelbergRegressor
from stackelberg._messages import OPTIONS
from stackelberg._settings import SETTINGS


class Settings(unittest.TestCase):
    def test_every_setting_is_a_parameter(self):
        parameters = inspect.signature(StackelbergRegressor.__init__).parameters
        self.assertEqual([name for name in SETTINGS if name not in parameters], [])

    def test_every_option_is_a_parameter(self):
        parameters = inspect.signature(StackelbergRegressor.__init__).parameters
        self.assertEqual([name for name in OPTIONS if name not in parameters], [])


if __name__ == "__main__":
    unittest.main()
