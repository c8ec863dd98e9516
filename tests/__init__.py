"""Tests: one folder or file for each room; test_one_answer.py is the front door."""
