// The version of this project: package.json is the only place that holds it.
import about from '../../package.json' with { type: 'json' }

export const VERSION: string = about.version
