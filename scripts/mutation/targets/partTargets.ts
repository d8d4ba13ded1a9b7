import type { Target } from '../targets.ts'

/** What a run is made of: policy, configuration, model, servers, report. */
export const partTargets: readonly Target[] = [
  {
    files: ['src/policy/load/*.ts'],
    tests: ['test/policy/load/*.test.ts', 'test/policy/lint/lintPolicy.test.ts'],
  },
  {
    files: ['src/policy/paths/*.ts', 'src/policy/checkInputs.ts'],
    tests: ['test/policy/evaluate*.test.ts', 'test/policy/paths/*.test.ts', 'test/run/checks/runChangedInputs.test.ts'],
  },
  { files: ['src/policy/lint/*.ts'], tests: ['test/policy/lint/*.test.ts'] },
  {
    files: ['src/policy/explain/*.ts'],
    tests: ['test/policy/explain/*.test.ts', 'test/policy/evaluate*.test.ts', 'test/report/{denialText,words}.test.ts'],
  },
  { files: ['src/policy/suggest/*.ts'], tests: ['test/policy/suggest/*.test.ts'], isLong: true },
  {
    files: ['src/config/*.ts'],
    tests: ['test/config/*.test.ts', 'test/entry/readRequest.test.ts', 'test/commands/{showHelp,usage}.test.ts'],
  },
  { files: ['src/context/*.ts'], tests: ['test/context/*.test.ts'], isLong: true },
  {
    files: ['src/contracts/*.ts', 'src/contracts/**/*.ts'],
    tests: ['test/contracts/*.test.ts', 'test/policy/load/*.test.ts', 'test/report/transcript/readTranscript.test.ts'],
    isLoadingToo: true,
  },
  {
    files: ['src/github/*.ts'],
    tests: ['test/github/*.test.ts', 'test/commands/apply.test.ts', 'test/run/outputs.test.ts'],
    isLong: true,
  },
  {
    files: ['src/mcp/*.ts'],
    tests: ['test/mcp/{McpLock,calls,connectServers,credentials,lock,retryServers,roots}.test.ts'],
    isLong: true,
  },
  {
    files: ['src/mcp/settings/*.ts'],
    tests: ['test/mcp/settings/*.test.ts', 'test/mcp/{credentials,lock}.test.ts'],
    isLong: true,
  },
  {
    files: ['src/mcp/tools/*.ts'],
    tests: ['test/mcp/tools/*.test.ts', 'test/mcp/{calls,connectServers}.test.ts'],
    isLong: true,
  },
  {
    files: ['src/mcp/transport/*.ts'],
    tests: ['test/mcp/transport/*.test.ts', 'test/mcp/{calls,connectServers,http}.test.ts'],
    isLong: true,
  },
  {
    files: ['src/model/!(classifyError|retry).ts', 'src/model/elsewhere/gatewayHeaders.ts', 'src/model/tools/*.ts'],
    tests: [
      'test/model/{create*,normalizeUsage,prices,statuses,thinkingParams,toolSpec,wireRequest}.test.ts',
      'test/model/tools/*.test.ts',
    ],
  },
  { files: ['src/model/replay/*.ts'], tests: ['test/model/replay/*.test.ts'] },
  {
    files: ['src/model/stream/*.ts'],
    tests: ['test/model/stream/*.test.ts', 'test/model/{brokenAnswers,cuts}.test.ts'],
  },
  {
    files: ['src/report/*.ts', 'src/report/{console,markdown}/*.ts'],
    tests: ['test/report/!(syncs).test.ts', 'test/report/{console,markdown}/*.test.ts'],
    isLong: true,
  },
  {
    files: ['src/report/fold/*.ts'],
    tests: ['test/report/fold/*.test.ts', 'test/report/formats.test.ts'],
    isLong: true,
  },
  {
    files: ['src/report/formats/*.ts'],
    tests: ['test/report/formats.test.ts', 'test/report/formats/*.test.ts'],
    isLong: true,
  },
  // The style and the script of the page are played by a browser.
  {
    files: ['src/report/html/!(pageScript|pageStyle).ts'],
    tests: ['test/report/html/!(browser).test.ts'],
    isLong: true,
  },
  { files: ['src/report/ledger/*.ts'], tests: ['test/report/ledger/*.test.ts'], isLong: true },
  { files: ['src/policy/{Policy,presets}.ts'], tests: ['test/policy/{presets,examples}.test.ts'], isLoadingToo: true },
]
