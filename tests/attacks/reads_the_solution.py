"""Reads the reference from the checkout and runs it instead of its own code.

want: error import-error
"""

with open(TARGET["root"] + "/solutions/kata03.py") as file:
    source = file.read()
print("GOT the reference")
exec(source)
