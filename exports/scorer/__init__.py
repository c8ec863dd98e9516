# SPDX-License-Identifier: Apache-2.0
"""Scores predictions against a bundle with numpy alone."""
