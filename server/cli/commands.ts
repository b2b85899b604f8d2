import { startBuying, stopBuying } from './buying-stop.ts'
import type { Command } from './command.ts'
import { migrateDatabase } from './database-migrate.ts'
import { showDemoKey } from './demo-key.ts'
import { verifyBooks } from './ledger-verify.ts'
import { attachMessageByHand } from './message-attach.ts'
import { listMessagesAside } from './message-list.ts'
import { addRange, disableRange } from './numbers-add.ts'
import { restoreNumbers } from './numbers-restore.ts'
import { refundOrder } from './order-refund.ts'
import { removePrice } from './price-remove.ts'
import { setPrice } from './price-set.ts'
import { setRate } from './rate-set.ts'
import { listSenders } from './sender-list.ts'
import { heedSender, ignoreSender, removeSender, setSender } from './sender-set.ts'
import { blockService, unblockService } from './service-block.ts'
import { addSupplier } from './supplier-add.ts'
import { listAllSuppliers } from './supplier-list.ts'
import { pauseSupplier, resumeSupplier } from './supplier-pause.ts'
import { setSupplier } from './supplier-set.ts'
import { blockUser, unblockUser } from './user-block.ts'
import { creditUser } from './user-credit.ts'
import { giveKey } from './user-key.ts'
import { limitUser } from './user-limit.ts'
import { signOutUser } from './user-sign-out.ts'
import { turnTwoFactorOff } from './user-two-factor-off.ts'
import { unpauseUser } from './user-unpause.ts'

/** Every command, in the order of the help text. */
export const commands: readonly Command[] = [
  migrateDatabase,
  showDemoKey,
  verifyBooks,
  listAllSuppliers,
  addSupplier,
  setSupplier,
  pauseSupplier,
  resumeSupplier,
  addRange,
  disableRange,
  restoreNumbers,
  setPrice,
  removePrice,
  setRate,
  creditUser,
  giveKey,
  blockUser,
  unblockUser,
  signOutUser,
  turnTwoFactorOff,
  limitUser,
  unpauseUser,
  blockService,
  unblockService,
  listSenders,
  setSender,
  removeSender,
  ignoreSender,
  heedSender,
  refundOrder,
  listMessagesAside,
  attachMessageByHand,
  stopBuying,
  startBuying,
]
