/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/standalone/kubeconfig-file.test.ts > TAP > everything within one file > must match snapshot 1`] = `
{
  "apiVersion": "v1",
  "kind": "Config",
  "clusters": [
    {
      "name": "olm",
      "cluster": {
        "server": "https://127.0.0.1:5443",
        "certificate-authority-data": "Y2E="
      }
    }
  ],
  "users": [
    {
      "name": "olm",
      "user": {
        "client-certificate-data": "Y2VydA==",
        "client-key-data": "a2V5"
      }
    }
  ],
  "contexts": [
    {
      "name": "olm",
      "context": {
        "cluster": "olm",
        "user": "olm"
      }
    }
  ],
  "current-context": "olm"
}

`
