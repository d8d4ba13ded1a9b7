import type { Target } from '../targets.ts'

/** What a run is made of: policy, configuration, model, servers, report. */
export const partTargets: readonly Target[] = [
  {
    files: ['src/policy/load/*.ts'],
    tests: ['test/policy/load/*.test.ts', 'test/policy/lint/findings.test.ts'],
  },
  {
    files: ['src/policy/paths/*.ts', 'src/policy/checkInputs.ts'],
    tests: ['test/policy/evaluate*.test.ts', 'test/policy/paths/*.test.ts', 'test/run/checks/runChangedInputs.test.ts'],
    programs: ['test/policy/**/*.test.ts', 'test/run/checks/*.test.ts'],
  },
  {
    files: ['src/policy/lint/*.ts'],
    tests: ['test/policy/lint/*.test.ts'],
    programs: ['test/policy/**/*.test.ts', 'test/commands/policy/*.test.ts'],
  },
  {
    files: ['src/policy/explain/*.ts'],
    tests: ['test/policy/{denials,evaluate*}.test.ts', 'test/policy/explain/*.test.ts'],
    programs: ['test/commands/policy/*.test.ts', 'test/query/runTools/*.test.ts', 'test/run/audit.test.ts'],
  },
  {
    files: ['src/policy/suggest/*.ts'],
    tests: ['test/policy/denials.test.ts', 'test/policy/suggest/*.test.ts'],
    programs: ['test/commands/policy/*.test.ts', 'test/run/audit.test.ts'],
    isLong: true,
  },
  {
    files: ['src/config/*.ts'],
    tests: ['test/config/*.test.ts', 'test/entry/readRequest.test.ts', 'test/commands/{showHelp,usage}.test.ts'],
    programs: [
      'test/docs.test.ts',
      'test/run/{audit,costs,mainAgent,modes,outputs,run,settings,thinking}.test.ts',
      'test/entry/*.test.ts',
      'test/commands/*.test.ts',
    ],
  },
  {
    files: ['src/context/*.ts'],
    tests: ['test/context/*.test.ts'],
    programs: [
      'test/run/{instructions,mainAgent,plugins,publicPlugins}.test.ts',
      'test/run/tools/{agents,knowledgeTools}.test.ts',
    ],
    isLong: true,
  },
  {
    files: ['src/contracts/*.ts', 'src/contracts/**/*.ts'],
    tests: [
      'test/contracts/**/*.test.ts',
      'test/docTables.test.ts',
      'test/report/corpus.test.ts',
      'test/policy/load/*.test.ts',
      'test/report/transcript/records.test.ts',
    ],
    programs: [
      'test/docs.test.ts',
      'test/report/**/*.test.ts',
      'test/run/{outputs,run,settings}.test.ts',
      'test/policy/**/*.test.ts',
    ],
    isLoadingToo: true,
  },
  {
    files: ['src/github/*.ts'],
    tests: ['test/github/*.test.ts', 'test/commands/apply.test.ts'],
    programs: [
      'test/examples/workflows.test.ts',
      'test/entry/*.test.ts',
      'test/run/{attest,findings}.test.ts',
      'test/action/*.test.ts',
    ],
    isLong: true,
  },
  {
    files: ['src/mcp/*.ts'],
    tests: ['test/mcp/{McpLock,calls,connectServers,credentials,lock,retryServers,roots,serverFaults}.test.ts'],
    programs: [
      'test/run/tools/{lateServers,mcpTools,toolSearch}.test.ts',
      'test/run/walls/servers.test.ts',
      'test/mcp/*.test.ts',
    ],
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
    programs: ['test/run/tools/{mcpTools,toolSearch}.test.ts'],
    isLong: true,
  },
  {
    files: ['src/mcp/transport/*.ts'],
    tests: ['test/mcp/transport/*.test.ts', 'test/mcp/{calls,connectServers,credentials,http,sdkServer}.test.ts'],
    programs: ['test/mcp/*.test.ts', 'test/run/walls/servers.test.ts'],
    isLong: true,
  },
  {
    files: ['src/model/!(classifyError|retry).ts', 'src/model/elsewhere/gatewayHeaders.ts', 'src/model/tools/*.ts'],
    tests: [
      'test/model/{connections,create*,prices,statuses,thinkingParams,toolSpec,transport,wireRequest}.test.ts',
      'test/model/{replay/*,stream/answers,tools/*}.test.ts',
      'test/tools/toolTexts.test.ts',
    ],
    programs: ['test/model/*.test.ts', 'test/run/{costs,thinking}.test.ts'],
  },
  {
    files: ['src/model/replay/*.ts'],
    tests: ['test/model/{replay/*,stream/answers}.test.ts'],
    programs: ['test/model/replay/*.test.ts', 'test/run/run.test.ts'],
  },
  {
    files: ['src/model/stream/*.ts'],
    tests: ['test/model/stream/*.test.ts', 'test/model/{brokenAnswers,cuts}.test.ts'],
    programs: ['test/model/*.test.ts', 'test/query/*.test.ts'],
  },
  {
    files: ['src/report/*.ts', 'src/report/{console,markdown}/*.ts'],
    tests: ['test/report/!(syncs).test.ts', 'test/report/{console,markdown}/*.test.ts'],
    programs: ['test/run/{outputs,findings,nothingDone}.test.ts', 'test/commands/*.test.ts'],
    isLong: true,
  },
  {
    files: ['src/report/fold/*.ts'],
    tests: ['test/report/fold/*.test.ts', 'test/report/{corpus,formats}.test.ts'],
    programs: ['test/report/**/*.test.ts', 'test/run/audit.test.ts', 'test/run/tools/agents.test.ts'],
    isLong: true,
  },
  {
    files: ['src/report/formats/*.ts', 'src/report/telemetry/createSpans.ts'],
    tests: ['test/report/{corpus,formats}.test.ts', 'test/report/formats/*.test.ts'],
    programs: ['test/run/goldenRuns.test.ts'],
    isLong: true,
  },
  // The style and the script of the page are played by a browser.
  {
    files: ['src/report/html/!(pageScript|pageStyle).ts'],
    tests: ['test/report/corpus.test.ts', 'test/report/html/!(browser).test.ts'],
    programs: ['test/report/html/*.test.ts'],
    isLong: true,
  },
  {
    files: ['src/report/ledger/*.ts'],
    tests: ['test/report/ledger/*.test.ts'],
    programs: ['test/run/{costs,settings}.test.ts'],
    isLong: true,
  },
  { files: ['src/policy/{Policy,presets}.ts'], tests: ['test/policy/{presets,examples}.test.ts'], isLoadingToo: true },
]
