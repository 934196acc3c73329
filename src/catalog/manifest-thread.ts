// Runs in a thread of its own: decodes manifests that would hold up everybody else. Receives text, answers what the decoder says.
import { parentPort } from 'node:worker_threads'
import { decodeClusterServiceVersion } from '../api/cluster-service-version.ts'

parentPort?.on('message', (manifest: string) => parentPort?.postMessage(decodeClusterServiceVersion(manifest)))
