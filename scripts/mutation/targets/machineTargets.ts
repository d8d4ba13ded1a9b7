import type { Target } from '../targets.ts'

/** What a run does with the machine: tools, the shell's words, git, the sandbox, and helpers. */
export const machineTargets: readonly Target[] = [
  {
    files: [
      'src/tools.ts',
      'src/Tool.ts',
      'src/Tool/*.ts',
      'src/tools/!(GrepTool|ReadTool|NotebookEditTool|WebFetchTool)/*.ts',
    ],
    tests: ['test/tools/!(Worktree*).test.ts', 'test/Tool/*.test.ts'],
    programs: [
      'test/run/tools/{agents,backgroundAgents,fileTools,knowledgeTools,modeTools,shellTools,toolCalls,toolSearch,webTools}.test.ts',
      'test/tools.test.ts',
    ],
    isLong: true,
  },
  {
    files: ['src/tools/{GrepTool,ReadTool,NotebookEditTool,WebFetchTool}/*.ts'],
    tests: [
      'test/tools/toolTexts.test.ts',
      'test/tools/{scenes,GrepTool,ReadTool,WebFetchTool}.test.ts',
      'test/tools/{NotebookEditTool,WebFetchTool}/*.test.ts',
    ],
    programs: ['test/run/tools/{fileTools,pdfPages,webTools}.test.ts'],
    isLong: true,
  },
  {
    files: ['src/shell/*.ts', 'src/shell/{chain,walk,words}/*.ts'],
    tests: ['test/shell/{analysis,analyzeCommand}.test.ts', 'test/shell/{chain,walk,words}/*.test.ts'],
    programs: ['test/shell/{attacks,everyday,oracle}.test.ts'],
  },
  {
    files: ['src/shell/programs/*.ts'],
    tests: ['test/shell/{analysis,analyzeCommand}.test.ts', 'test/shell/programs/*.test.ts'],
    programs: ['test/shell/{attacks,everyday,oracle}.test.ts'],
    isLoadingToo: true,
  },
  {
    files: ['src/effects/openAccount.ts'],
    tests: ['test/effects/openAccount.test.ts'],
    programs: ['test/run/effects/*.test.ts', 'test/run/tools/fileTools.test.ts'],
    isLong: true,
  },
  {
    files: ['src/effects/watch/openCheckoutWatch.ts'],
    tests: ['test/effects/watch/{besideTools,gitContents,openCheckoutWatch}.test.ts'],
    programs: ['test/effects/openEffectsOrder.test.ts', 'test/run/effects/*.test.ts'],
    isLong: true,
  },
  {
    files: ['src/git/own/{openSnapshot,ownGit}.ts'],
    tests: ['test/git/own/*.test.ts'],
    isLong: true,
  },
  {
    files: ['src/git/places/{alternates,gitConfigs,gitPlaces,largePacks}.ts'],
    tests: ['test/git/places/*.test.ts'],
  },
  {
    files: [
      'src/git/repository/{commitHooks,moduleFolders,openBlobPack,readCheckout}.ts',
      'src/git/states/{gitWorktree,stagePatch}.ts',
    ],
    tests: [
      'test/git/repository/{commitHooks,openBlobPack,readCheckout,readRefs}.test.ts',
      'test/git/states/{gitWorktree,stagePatch}.test.ts',
      'test/tools/WorktreeTools.test.ts',
      'test/commands/apply.test.ts',
    ],
    programs: ['test/run/walls/{gitFolders,hostGit}.test.ts', 'test/effects/git/*.test.ts'],
    isLong: true,
  },
  // Never `removeTree.ts`: it removes folders.
  {
    files: ['src/sandbox/views/!(removeTree).ts'],
    tests: [
      'test/sandbox/views/*.test.ts',
      'test/effects/view/readUpper.test.ts',
      'test/effects/openEffectsViews.test.ts',
      'test/sandbox/openSandboxWork.test.ts',
    ],
    programs: [
      'test/sandbox/{openSandbox,whatCommandsSee}.test.ts',
      'test/run/walls/*.test.ts',
      'test/isolation/*.test.ts',
    ],
    isLong: true,
  },
  {
    files: ['src/sandbox/landlock/*.ts'],
    tests: ['test/sandbox/landlock/*.test.ts'],
    programs: ['test/run/walls/behindLandlock.test.ts'],
  },
  // Never what sends signals to groups of processes.
  {
    files: ['src/lib/process/!(endProcessGroup|processIdentity).ts'],
    tests: ['test/lib/process/*.test.ts', 'test/lib/text/texts.test.ts'],
    isLong: true,
    programs: ['test/run/walls/leftProcesses.test.ts', 'test/run/tools/shellTools.test.ts'],
  },
  {
    files: ['src/lib/*.ts', 'src/lib/{async,places,text}/*.ts'],
    tests: [
      'test/lib/{async,places,text}/*.test.ts',
      'test/effects/isSameFile.test.ts',
      'test/hooks/startsOutside.test.ts',
    ],
    isLoadingToo: true,
    programs: ['test/run/tools/{fileTools,knowledgeTools}.test.ts', 'test/files/*.test.ts'],
  },
  {
    files: ['src/lib/media/*.ts'],
    tests: ['test/lib/media/*.test.ts', 'test/tools/scenes.test.ts', 'test/tools/NotebookEditTool/*.test.ts'],
    isLoadingToo: true,
    programs: ['test/run/tools/{pdfPages,webTools}.test.ts'],
  },
  {
    files: ['src/effects/{git/openRefLog,judge/JudgeChanges}.ts', 'src/lib/fs/openFolderHandle.ts'],
    tests: [
      'test/effects/{openAccount,openEffectsViews}.test.ts',
      'test/lib/fs/openFolderHandle.test.ts',
      'test/effects/{git,judge,view}/*.test.ts',
      'test/run/effects/refChanges.test.ts',
    ],
    programs: ['test/run/effects/*.test.ts'],
    isLong: true,
  },
  {
    files: ['src/hooks/{Hooks,openHelper,runByType}.ts'],
    tests: ['test/hooks/*.test.ts', 'test/mcp/credentials.test.ts'],
    programs: ['test/run/hooks/*.test.ts'],
    isLong: true,
  },
  {
    files: ['src/lib/fs/{atPath,diskPath,loadPackage,temporaryName}.ts', 'src/lib/net/undici.ts'],
    tests: ['test/lib/{fs,net,secrets}/*.test.ts', 'test/files/*.test.ts'],
  },
  {
    files: [
      'src/sandbox/{createBox,openSandbox,probeSandbox}.ts',
      'src/sandbox/network/{openNetwork,openNetworkNamespace}.ts',
    ],
    tests: [
      'test/sandbox/{createBox,openSandbox,openSandboxWork,movedSecrets}.test.ts',
      'test/sandbox/network/openNetwork.test.ts',
    ],
    programs: [
      'test/sandbox/whatCommandsSee.test.ts',
      'test/isolation/*.test.ts',
      'test/run/walls/*.test.ts',
      'test/run/tools/webTools.test.ts',
    ],
    isLong: true,
  },
]
