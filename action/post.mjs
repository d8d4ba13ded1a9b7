// What the runner starts at the end of the job: it completes summary and outputs where the main part was killed.
import { builtAction } from './ensureBuilt.mjs'

const built = builtAction()
if (built !== undefined) await (await import(built)).post()
