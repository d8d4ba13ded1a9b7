import type { Target } from '../targets.ts'

/** The doors, the commands, and what a run opens and does, by whole runs in this process. */
export const runTargets: readonly Target[] = [
  {
    files: [
      'src/entry/{actionOutputs,addSummary,leaveCheckout,main,openEventReaders}.ts',
      'src/entry/{publishReport,readRequest,run,runFromCli,showDryRun}.ts',
    ],
    tests: [
      'test/entry/{leaveCheckout,main,publishReport,readRequest,run}.test.ts',
      'test/run/walls/writtenFiles.test.ts',
      'test/run/{attest,dryRun,goldenRuns}.test.ts',
    ],
    programs: [
      'test/action/*.test.ts',
      'test/entry/*.test.ts',
      'test/run/stdin.test.ts',
      'test/commands/layouts.test.ts',
    ],
    isLong: true,
  },
  {
    files: ['src/entry/{listenForSignals,hideSecrets}.ts'],
    tests: ['test/entry/{listenForSignals,hideSecrets}.test.ts'],
    programs: ['test/entry/*.test.ts', 'test/isolation/*.test.ts', 'test/run/walls/leftProcesses.test.ts'],
    isLong: true,
  },
  {
    files: ['src/entry/control/*.ts'],
    tests: ['test/entry/control/{fromInitialize,openControl,runControlled}.test.ts', 'test/run/goldenRuns.test.ts'],
    programs: ['test/entry/control/*.test.ts'],
    isLong: true,
  },
  {
    files: ['src/run/!(endRun).ts'],
    tests: [
      'test/run/{audit,background,checks,dryRun,goldenRuns,hooksOf,modes,nothingDone,openKeyHelper,run}.test.ts',
      'test/run/{hooks/hookEndings,resume/resumedWork,tools/backgroundAgents,walls/childEnvironment}.test.ts',
      'test/{entry/run,mcp/serverFaults}.test.ts',
    ],
    programs: ['test/run/*.test.ts', 'test/run/{resume,walls}/*.test.ts'],
    isLong: true,
  },
  {
    files: ['src/run/loop/!(createConversationFold|judgeCall|redactRequests).ts'],
    tests: [
      'test/run/loop/{agentDefinition,createCompaction,watchStandstill}.test.ts',
      'test/run/tools/{agents,backgroundAgents,lateServers,webTools}.test.ts',
      'test/run/{goldenRuns,hooks/hookEndings}.test.ts',
      'test/mcp/serverFaults.test.ts',
    ],
    programs: ['test/run/*.test.ts', 'test/run/{loop,tools,hooks,resume}/*.test.ts'],
    isLong: true,
  },
  // Never `clearAbandoned.ts`: a mutant of it could remove folders of runs that are alive.
  {
    files: ['src/run/start/!(clearAbandoned).ts'],
    tests: [
      'test/run/start/!(clearAbandoned).test.ts',
      'test/run/{goldenRuns,plugins,settings,tools/lateServers}.test.ts',
      'test/run/hooks/{hookEndings,hookVariables}.test.ts',
      'test/{entry/run,mcp/serverFaults}.test.ts',
    ],
    programs: ['test/run/*.test.ts', 'test/run/{hooks,resume,tools,walls}/*.test.ts'],
    isLong: true,
  },
  {
    files: ['src/run/{record/open{Budget,Records},resume/{finishedBefore,resumeWorkTree}}.ts'],
    tests: [
      'test/run/record/openBudget.test.ts',
      'test/run/resume/{finishedBefore,forgedPatches,refusedResumes,resumeWorkTree,resumedWork}.test.ts',
      'test/run/walls/{gitFolders,writtenFiles}.test.ts',
      'test/run/{costs,dryRun,goldenRuns}.test.ts',
    ],
    programs: ['test/run/{costs,records,fullDisk}.test.ts', 'test/run/{record,resume}/*.test.ts'],
    isLong: true,
  },
  {
    files: ['src/commands/apply.ts'],
    tests: ['test/commands/apply.test.ts'],
    programs: ['test/commands/*.test.ts', 'test/run/tools/fileTools.test.ts'],
    isLong: true,
  },
  {
    files: ['src/commands/!(apply|findTranscript|init|verify).ts', 'src/commands/doctor/*.ts'],
    tests: ['test/commands/{completion,doctor,listServers,listTools,mergeTranscripts,showHelp,usage}.test.ts'],
    programs: ['test/commands/*.test.ts', 'test/report/**/*.test.ts'],
    isLong: true,
  },
  {
    files: ['src/commands/init.ts', 'src/commands/init/*.ts'],
    tests: ['test/commands/init.test.ts'],
    programs: ['test/commands/**/*.test.ts'],
    isLong: true,
  },
  {
    files: ['src/commands/policy/*.ts'],
    tests: ['test/commands/policy/!(firstDay).test.ts'],
    programs: ['test/commands/**/*.test.ts'],
    isLong: true,
  },
]
