import { join } from 'node:path'
import { playGolden } from '../helpers/runs/playGolden.ts'
import { servers } from '../run/rows/servers.ts'

playGolden(join(import.meta.dirname, '../run/golden'), 'servers', servers)
