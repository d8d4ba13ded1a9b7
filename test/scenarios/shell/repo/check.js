process.exitCode = 3
