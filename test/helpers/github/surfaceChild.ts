import { text } from 'node:stream/consumers'
import { openGitHubSurface } from '../../../src/github/openGitHubSurface.ts'

/** A step that shows and hands on whatever it is given: texts as JSON on stdin. */
const texts = JSON.parse(await text(process.stdin)) as readonly string[]
const surface = await openGitHubSurface('shop')
for (const [index, value] of texts.entries()) {
  surface.annotate({ level: 'warning', title: value, message: value, file: value, line: 1 })
  surface.setOutput(`output_${index}`, value)
}
