# SPDX-License-Identifier: Apache-2.0
"""`python -m lithe`: the command."""

from _lithe_command import main

main()
