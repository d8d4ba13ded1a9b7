import { keepCompiledCode } from './keepCompiledCode.ts'

// Until the run listens itself, nothing has begun: a signal ends the process with the code that the run would have.
const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
for (const [name, code] of Object.entries(codes)) process.once(name, () => process.exit(code))

keepCompiledCode()
void import('./start.ts').then(({ start }) => start())
