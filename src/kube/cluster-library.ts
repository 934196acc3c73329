// What we use of the cluster's client library: named one by one, so that a bundle holds these parts of it and not its 15 MB.
export { KubeConfig, loadYaml } from '@kubernetes/client-node'
