// Reports from the field that bear on nothing that is built here, or that no test of this repository can show: by number, with the reason.

export const UNTESTED_REPORTS: Readonly<Record<string, string>> = {
  R018: 'OperatorGroups are not read: global catalogs are listed in every namespace, as the Go server lists them',
  R025: 'the uninstaller that takes the APIService away first is not built yet; the APIService is one file of apiservice/',
  R040: 'TLS to registries is not built: like the Go server this one dials registries in the clear',
  R042: 'a matter of pods in a mesh: apiservice/ is rendered and checked, no mesh runs in a test',
  R087: 'applying the manifests repeatedly is a matter of a real API server: the Deployment has one fixed name',
  R088: 'memory is measured by `npm run bench`, not judged by a test',
  R090: 'memory and size of the image are measured by `npm run bench` and the build, not judged by a test',
  R104: 'a catalog is loaded by one process with one thread, so several that start together take one core each at most',
}
