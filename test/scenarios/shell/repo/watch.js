import { writeFileSync } from 'node:fs'

writeFileSync('watch.pid', String(process.pid))
console.log('watching')
setInterval(() => undefined, 1000)
