/** Files of the source that no target names, with the reason. A guard holds that every other file is in one target. */
export const unmutated: Readonly<Record<string, readonly string[]>> = {
  'Only a started program plays it: a test in this process has no mutant there.': [
    'src/entry/{action,cli,closeInheritedDescriptors,index,keepCompiledCode,openProcessIo,readStdin,runAction,start}.ts',
  ],
  'Its test asks where packages are loaded from, which is another place in the copy that Stryker plays.': [
    'src/model/elsewhere/openCloud.ts',
  ],
  'A mutant of it could end or remove what belongs to others on the machine.': [
    'src/lib/process/{endProcessGroup,processIdentity}.ts',
    'src/run/start/clearAbandoned.ts',
    'src/sandbox/integrity/endLeakedProcesses.ts',
    'src/sandbox/views/removeTree.ts',
  ],
  'Another program judges it: GNU tar, a browser, OpenTelemetry’s SDK, whose packages a long test installs.': [
    'src/sandbox/mounts/openTar.ts',
    'src/report/html/page{Script,Style}.ts',
    'src/report/telemetry/!(createSpans).ts',
  ],
}
