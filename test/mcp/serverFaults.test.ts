import { playGolden } from '../helpers/runs/playGolden.ts'

playGolden('servers')
