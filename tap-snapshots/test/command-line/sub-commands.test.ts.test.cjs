/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/command-line/sub-commands.test.ts > TAP > help and version of the program > must match snapshot 1`] = `
Usage: sample COMMAND [flags]

Does two things.

Commands:
  serve          Serves a folder.
  list packages  Lists packages.
  list bundles   Lists bundles.

sample COMMAND --help says more about each.

`
