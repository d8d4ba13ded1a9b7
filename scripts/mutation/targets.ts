import { machineTargets } from './targets/machineTargets.ts'
import { partTargets } from './targets/partTargets.ts'
import { runTargets } from './targets/runTargets.ts'

/** Files that are mutated together, and the tests that stand for them: those that need no built command line. */
export type Target = {
  readonly files: readonly string[]
  readonly tests: readonly string[]
  /** Also mutates what runs while a module is loaded: tables, and what tests make before the first one. Each plays all tests. */
  readonly isLoadingToo?: true
  /** Also plays the tests that are tagged `long`. */
  readonly isLong?: true
  /** Tests of started programs and of corpora. What `tests` does not notice is built and tried by them: seconds for each mutant. */
  readonly programs?: readonly string[]
}

export const targets: readonly Target[] = [
  { files: ['src/permissions.ts'], tests: ['test/permissions.test.ts', 'test/permittedCalls.test.ts'] },
  {
    files: ['src/policy/evaluate.ts', 'src/policy/matchers/*.ts'],
    tests: ['test/policy/evaluate*.test.ts', 'test/policy/{matchers,paths,rules}/*.test.ts'],
  },
  {
    files: ['src/policy/rules/*.ts'],
    tests: ['test/policy/evaluate*.test.ts', 'test/policy/{rules,load,lint}/*.test.ts'],
  },
  {
    files: ['src/effects/judge/{decideChanges,linkTarget,refuseLostContent,refusedChange}.ts'],
    tests: ['test/effects/judge/{decideChanges,linkTarget,refuseLostContent}.test.ts'],
  },
  {
    files: ['src/effects/{judge/createJudge,openCheckout}.ts'],
    tests: ['test/effects/{judge/createJudge,judge/foldersWithContent,openCheckout}.test.ts'],
  },
  {
    files: ['src/effects/view/{journal,takeOverSteps}.ts'],
    tests: ['test/effects/view/{journal,takeOverSteps}.test.ts'],
  },
  {
    files: ['src/effects/{changeOf,view/readUpper}.ts'],
    tests: ['test/effects/{view/readUpper,watch/compareBackups}.test.ts'],
  },
  {
    files: ['src/effects/view/{runSteps,takeOver}.ts'],
    tests: ['test/effects/view/{killedTakeOver,runSteps,takeOver}.test.ts'],
  },
  {
    files: ['src/effects/view/recoverTakeOvers.ts'],
    tests: ['test/effects/view/{killedTakeOver,recoverTakeOvers}.test.ts'],
  },
  { files: ['src/effects/view/applyView.ts'], tests: ['test/effects/view/applyView.test.ts'] },
  {
    files: ['src/effects/watch/{compareBackups,copyInto,restorePaths,surveyFiles}.ts'],
    tests: ['test/effects/{watch/{compareBackups,restorePaths,surveyFiles},view/runSteps}.test.ts'],
  },
  {
    files: ['src/effects/watch/{gitContents,openBackups,openObjectLinks,openPack}.ts'],
    tests: ['test/effects/watch/{gitContents,openBackups,openObjectLinks,openPack}.test.ts'],
  },
  {
    files: [
      'src/effects/git/{incomingChanges,isRefreshedIndex,stoppedStepProblem}.ts',
      'src/git/repository/{findRepositories,isValidObject,readRefs,trackedFiles}.ts',
      'src/git/places/{gitOrder,gitPlace,isTransientConfig}.ts',
    ],
    tests: [
      'test/effects/git/{gitFiles,incomingChanges}.test.ts',
      'test/git/repository/{readRefs,trackedFiles}.test.ts',
      'test/effects/watch/openObjectLinks.test.ts',
    ],
  },
  {
    files: ['src/effects/{describeEffects,isSameFile}.ts'],
    tests: ['test/effects/{describeEffects,isSameFile}.test.ts'],
  },
  {
    files: ['src/effects/{openEffects,commandOrder,sandboxStock,watchedPrograms}.ts'],
    tests: ['test/effects/{openEffects,openEffectsOrder,openEffectsReady,sandboxStock}.test.ts'],
  },
  {
    files: ['src/git/repository/gitIndex.ts'],
    tests: ['test/git/repository/{gitIndex,gitObjects,trackedFiles}.test.ts', 'test/git/states/dirtyFiles.test.ts'],
  },
  {
    files: ['src/effects/git/judgeGit.ts'],
    tests: ['test/effects/git/judgeGitFiles.test.ts'],
  },
  { files: ['src/git/own/openOwnGit.ts'], tests: ['test/git/own/openOwnGit.test.ts'] },
  {
    files: ['src/effects/git/{indexChanges,movedRefs}.ts'],
    tests: ['test/effects/git/{indexChanges,judgeGitFiles,movedRefs}.test.ts'],
  },
  {
    files: ['src/report/transcript/*.ts'],
    tests: ['test/report/transcript/*.test.ts', 'test/entry/readRequest.test.ts'],
  },
  { files: ['src/commands/{verify,findTranscript}.ts'], tests: ['test/commands/verifyWords.test.ts'] },
  {
    files: ['src/hooks/{readEnding,findAnswer,chooseHooks,combineReplies,HookReply}.ts'],
    tests: ['test/hooks/{readEnding,chooseHooks,combineReplies,runHttpHook,runPromptHook}.test.ts'],
  },
  {
    files: [
      'src/hooks/{checkHooks,commandWords,pinHooks,startsOutside}.ts',
      'src/hooks/run{Command,Http,Prompt}Hook.ts',
    ],
    tests: [
      'test/hooks/{checkHooks,commandWords,pinHooks,startsOutside}.test.ts',
      'test/hooks/{createHooks,run{Command,Http,Prompt}Hook}.test.ts',
    ],
  },
  { files: ['src/hooks/createHooks.ts'], tests: ['test/hooks/{createHooks,hookPlaces}.test.ts'] },
  { files: ['src/query/runTools/*.ts'], tests: ['test/query/runTools/*.test.ts'] },
  {
    files: ['src/model/{classifyError,retry}.ts'],
    tests: ['test/model/{connections,retry,statuses,stream/answers,transport}.test.ts'],
  },
  {
    files: ['src/lib/net/{checkUrl,createAddressGuard,parseUrl}.ts'],
    tests: ['test/lib/net/{checkUrl,createAddressGuard,parseUrl}.test.ts'],
    isLoadingToo: true,
  },
  {
    files: ['src/lib/net/create{Dispatcher,GuardedFetch,NetworkAccess}.ts'],
    tests: ['test/lib/net/{createDispatcher,createGuardedFetch,createNetworkAccess,readBody}.test.ts'],
    isLoadingToo: true,
  },
  {
    files: ['src/lib/secrets/{vendorShapes,secretsFromEnvironment}.ts'],
    tests: ['test/lib/secrets/{vendorShapes,secretsFromEnvironment}.test.ts'],
    isLoadingToo: true,
  },
  {
    files: ['src/lib/secrets/{compilePatterns,pieceIndex,redact,secretForms}.ts'],
    tests: ['test/lib/secrets/*.test.ts'],
  },
  {
    files: [
      'src/lib/fs/{ignoreLookup,folders,listTree,nameOfBytes,ownedFolder}.ts',
      'src/lib/fs/{isWithin,paths,readInputFile,readRegular}.ts',
    ],
    tests: ['test/lib/fs/*.test.ts'],
  },
  {
    files: ['src/git/states/{compareStates,dirtyFiles}.ts', 'src/git/repository/gitObjects.ts'],
    tests: ['test/git/states/*.test.ts', 'test/git/repository/gitObjects.test.ts'],
  },
  { files: ['src/query.ts', 'src/query/*.ts'], tests: ['test/query/*.test.ts'] },
  {
    files: [
      'src/run/record/{initEvent,openOutputs,recordRun}.ts',
      'src/run/resume/{acquireLock,loadResumed,pairCalls}.ts',
    ],
    tests: ['test/run/record/*.test.ts', 'test/run/resume/{acquireLock,loadResumed,pairCalls}.test.ts'],
  },
  {
    files: [
      'src/run/endRun.ts',
      'src/run/checks/{gateFindings,runChangedInputs}.ts',
      'src/run/effects/openTransactions.ts',
      'src/run/loop/judgeCall.ts',
    ],
    tests: [
      'test/run/endRun.test.ts',
      'test/run/checks/{gateFindings,runChangedInputs}.test.ts',
      'test/run/effects/openTransactions.test.ts',
      'test/run/loop/judgeCall.test.ts',
    ],
  },
  {
    files: [
      'src/run/checks/runChecks.ts',
      'src/run/effects/{accountedFiles,commandsOfCall,openIntegrity,reportLateChanges,watchServers}.ts',
      'src/run/loop/redactRequests.ts',
    ],
    tests: [
      'test/run/checks/runChecks.test.ts',
      'test/run/effects/{accountedFiles,commandsOfCall,openIntegrity,reportLateChanges,watchServers}.test.ts',
      'test/run/loop/redactRequests.test.ts',
    ],
  },
  {
    files: ['src/run/loop/createConversationFold.ts'],
    tests: ['test/run/loop/createConversationFold.test.ts', 'test/run/resume/{loadResumed,pairCalls}.test.ts'],
  },
  {
    files: ['src/files/*.ts'],
    tests: ['test/files/*.test.ts', 'test/tools/{scenes,{Edit,Write,LS,Glob,Grep,Read}Tool}.test.ts'],
  },
  {
    files: [
      'src/sandbox/environment/*.ts',
      'src/sandbox/network/{parseHostRule,readServerName}.ts',
      'src/sandbox/sandboxAdvice.ts',
    ],
    tests: [
      'test/sandbox/environment/*.test.ts',
      'test/sandbox/network/*.test.ts',
      'test/sandbox/sandboxAdvice.test.ts',
    ],
  },
  {
    files: ['src/sandbox/{bubblewrapArguments,handover,jailGit,startWaiting}.ts'],
    tests: ['test/sandbox/{bubblewrapArguments,handover,jailGit,startWaiting,waitingShell}.test.ts'],
  },
  {
    files: ['src/sandbox/{createBackgroundCommand,createCommandAccess}.ts'],
    tests: ['test/sandbox/{createBackgroundCommand,createCommandAccess}.test.ts'],
  },
  { files: ['src/sandbox/network/createNetworkProxy.ts'], tests: ['test/sandbox/network/createNetworkProxy.test.ts'] },
  // `openTar.ts` is judged by GNU tar alone.
  { files: ['src/sandbox/mounts/!(openTar).ts'], tests: ['test/sandbox/mounts/!(openTar).test.ts'] },
  // Never `endLeakedProcesses.ts`: a mutant of it that finds everything marked ends everything on the machine.
  { files: ['src/sandbox/integrity/takeSnapshot.ts'], tests: ['test/sandbox/integrity/takeSnapshot.test.ts'] },
  ...machineTargets,
  ...partTargets,
  ...runTargets,
]
