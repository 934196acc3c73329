/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/command-line/command-line.test.ts > TAP > help and version win over everything but a wrong flag > help 1`] = `
Usage: sample serve [flags] DIR [OTHER]

Serves a folder.

Arguments:
  DIR
        The folder.
  OTHER
        Another folder.

Flags:
  -p, --port N
        Where to listen. Default: 50051.
  --interval DURATION
        How often to read. Default: 5m.
  --data-dir TEXT
        Where files go. Default: .olm.
  --allowed-names A,B,…
        Who may. Default: a.
  --sni-key TEXT
        Pairs.
  --limit SIZE
        How much. Default: 64Mi.
  --debug
        Say more.
  --cache
        Keep it. Accepted, not needed: everything is kept in memory. Default: true.
  -h, --help
        Print this text and end.
  --version
        Print the version and end.

Logging:
  --format text|json
        Form of a line. Default: text.
  -v N
        More detail. Default: 0.

`

exports[`test/command-line/command-line.test.ts > TAP > help and version win over everything but a wrong flag > table 1`] = `
| flag | default | meaning |
| --- | --- | --- |
| \`-p, --port N\` | \`50051\` | Where to listen. |
| \`--interval DURATION\` | \`5m\` | How often to read. |
| \`--data-dir TEXT\` | \`.olm\` | Where files go. |
| \`--allowed-names A,B,…\` | \`a\` | Who may. |
| \`--sni-key TEXT\` |  | Pairs. |
| \`--limit SIZE\` | \`64Mi\` | How much. |
| \`--debug\` |  | Say more. |
| \`--cache\` | \`true\` | Keep it. Accepted, not needed: everything is kept in memory. |
| \`--format text|json\` | \`text\` | Form of a line. |
| \`-v N\` | \`0\` | More detail. |
| \`-h, --help\` |  | Print this text and end. |
| \`--version\` |  | Print the version and end. |
`
