import { join } from 'node:path'
import { playGolden } from '../../helpers/runs/playGolden.ts'
import { hooks } from '../rows/hooks.ts'

playGolden(join(import.meta.dirname, '../golden'), 'hooks', hooks)
