import { expect, test } from 'vitest'
import { assignmentProblem } from '../../../src/shell/walk/assignmentProblem.ts'

test.each([
  ...['npm_config_script_shell', 'NPM_CONFIG_SCRIPT_SHELL', 'Npm_Config_script_shell', 'nPM_cONFIG_node_options'],
  ...['YARN_IGNORE_PATH', 'yarn_plugins', 'Yarn_Rc_Filename', 'pnpm_config_script_shell'],
  'DOTNET_STARTUP_HOOKS',
  'DOTNET_GCName',
  'CORECLR_PROFILER_PATH',
  'BUN_OPTIONS',
  'ERL_AFLAGS',
  'TS_NODE_COMPILER',
  ...['CCACHE_PREFIX', 'PSQLRC', 'WGETRC', 'PYLINTRC', 'COVERAGE_RCFILE', 'GH_CONFIG_DIR', 'KUBECTL_EXTERNAL_DIFF'],
  ...['HELM_PLUGINS', 'CLOUDSDK_PYTHON', 'LD_PRELOAD', 'GIT_SSH_COMMAND'],
])('%s chooses what code runs', (name) => {
  expect(assignmentProblem(name)).toBe('variable')
})

test.each(['CI', 'NODE_ENV', 'NPM_TOKEN', 'DOTNET_CLI_TELEMETRY_OPTOUT', 'CCACHE_DIR', 'GH_REPO', 'PGHOST', 'LC_ALL'])(
  '%s does not',
  (name) => {
    expect(assignmentProblem(name)).toBeUndefined()
  },
)
