import { listLookups } from './abuse/abuse-list.ts'
import { lookUpNumber } from './abuse/abuse-lookup.ts'
import { listStandingAlarms } from './alarms/alarm-list.ts'
import { muteAlarms, unmuteAlarms } from './alarms/alarm-mute.ts'
import { listChanges } from './audit/audit-list.ts'
import { addBonusRule } from './bonuses/bonus-add.ts'
import { endBonus } from './bonuses/bonus-end.ts'
import { listBonuses } from './bonuses/bonus-list.ts'
import { startBuying, stopBuying } from './catalog/buying-stop.ts'
import { listAllCountries } from './catalog/country-list.ts'
import { blockService, unblockService } from './catalog/service-block.ts'
import { listAllServices } from './catalog/service-list.ts'
import { listChainFindings, settleChainFinding } from './chains/chain-findings.ts'
import { planChain } from './chains/chain-plan.ts'
import { rewindChain } from './chains/chain-rewind.ts'
import type { Command } from './command.ts'
import { migrateDatabase } from './database-migrate.ts'
import { showDemoCode } from './demo-code.ts'
import { showDemoKey } from './demo-key.ts'
import { addGateway } from './gateways/gateway-add.ts'
import { listAllGateways } from './gateways/gateway-list.ts'
import { pauseGateway, resumeGateway } from './gateways/gateway-pause.ts'
import { setGateway } from './gateways/gateway-set.ts'
import { listAllKeys } from './keys/key-list.ts'
import { revokeKeyByHand } from './keys/key-revoke.ts'
import { verifyBooks } from './ledger-verify.ts'
import { attachMessageByHand } from './messages/message-attach.ts'
import { judgeMessages } from './messages/message-judge.ts'
import { listMessagesAside } from './messages/message-list.ts'
import { listSenders } from './messages/sender-list.ts'
import { heedSender, ignoreSender, removeSender, setSender } from './messages/sender-set.ts'
import { listAllNodes } from './nodes/node-list.ts'
import { sendNews } from './notices/news-send.ts'
import { listAllNotices } from './notices/notice-list.ts'
import { removeNotice } from './notices/notice-remove.ts'
import { setNotice } from './notices/notice-set.ts'
import { addRange, disableRange } from './numbers/numbers-add.ts'
import { listNumbers } from './numbers/numbers-list.ts'
import { restoreNumbers } from './numbers/numbers-restore.ts'
import { listSilentNumbers, resumeNumbers } from './numbers/numbers-silent.ts'
import { listAllOrders } from './orders/order-list.ts'
import { refundOrder } from './orders/order-refund.ts'
import { refundTexts } from './orders/order-refund-texts.ts'
import { showOrder } from './orders/order-show.ts'
import { addOutlet } from './outlets/outlet-add.ts'
import { listAllOutlets } from './outlets/outlet-list.ts'
import { pauseOutlet, resumeOutlet } from './outlets/outlet-pause.ts'
import { removeOutlet } from './outlets/outlet-remove.ts'
import { rotateOutletKey } from './outlets/outlet-rotate.ts'
import { setOutlet } from './outlets/outlet-set.ts'
import { disputePayment, loseDispute, winDispute } from './payments/payment-dispute.ts'
import { listAllPayments } from './payments/payment-list.ts'
import { recheckPayment } from './payments/payment-recheck.ts'
import { refundPaymentByHand } from './payments/payment-refund.ts'
import { cancelRefundByHand } from './payments/payment-refund-cancel.ts'
import { settlePaymentByHand } from './payments/payment-settle.ts'
import { showPayment } from './payments/payment-show.ts'
import { createVouchers } from './payments/voucher-create.ts'
import { withdrawVoucherBatch } from './payments/voucher-withdraw.ts'
import { exportPrices } from './prices/price-export.ts'
import { importPrices } from './prices/price-import.ts'
import { listPrices } from './prices/price-list.ts'
import { previewPrice } from './prices/price-preview.ts'
import { removePrice } from './prices/price-remove.ts'
import { roundPrices } from './prices/price-round.ts'
import { setPrice } from './prices/price-set.ts'
import { listAllRates } from './prices/rate-list.ts'
import { setRate } from './prices/rate-set.ts'
import { setRateSource } from './prices/rate-source.ts'
import { barInvitation, clearInvitation } from './referral/referral-decide.ts'
import { listReferral } from './referral/referral-list.ts'
import { showReferral } from './referral/referral-show.ts'
import { approveWithdrawal, payWithdrawal, refuseWithdrawal } from './referral/referral-withdrawals.ts'
import { addSim } from './sims/sim-add.ts'
import { importSims } from './sims/sim-import.ts'
import { listSims } from './sims/sim-list.ts'
import { retireSimByHand } from './sims/sim-retire.ts'
import { closeIncident } from './status/status-close.ts'
import { listAllIncidents } from './status/status-list.ts'
import { openIncident } from './status/status-open.ts'
import { updateIncident } from './status/status-update.ts'
import { addSupplier } from './suppliers/supplier-add.ts'
import { showSupplierAddress } from './suppliers/supplier-address.ts'
import { certifySupplier } from './suppliers/supplier-certify.ts'
import { listEvents } from './suppliers/supplier-events.ts'
import { listAllSuppliers } from './suppliers/supplier-list.ts'
import { mapSupplierCode } from './suppliers/supplier-map.ts'
import { pauseSupplier, resumeSupplier } from './suppliers/supplier-pause.ts'
import { removeSupplier } from './suppliers/supplier-remove.ts'
import { restoreSupplier } from './suppliers/supplier-restore.ts'
import { rotateSupplierKey } from './suppliers/supplier-rotate.ts'
import { routeSupplier } from './suppliers/supplier-route.ts'
import { setSupplier } from './suppliers/supplier-set.ts'
import { showSupplier } from './suppliers/supplier-show.ts'
import { testSupplier } from './suppliers/supplier-test.ts'
import { listUnmappedCodes } from './suppliers/supplier-unmapped.ts'
import { blockUser, unblockUser } from './users/user-block.ts'
import { creditUser } from './users/user-credit.ts'
import { eraseUser } from './users/user-erase.ts'
import { eraseAgain, listErasedUsers } from './users/user-erase-again.ts'
import { exportUser } from './users/user-export.ts'
import { giveKey } from './users/user-key.ts'
import { limitUser } from './users/user-limit.ts'
import { takePasskeysOff } from './users/user-passkeys-off.ts'
import { giveRole } from './users/user-role.ts'
import { showUser } from './users/user-show.ts'
import { signOutUser } from './users/user-sign-out.ts'
import { takeTelegramOff } from './users/user-telegram-off.ts'
import { turnTwoFactorOff } from './users/user-two-factor-off.ts'
import { unpauseUser } from './users/user-unpause.ts'

export const commands: readonly Command[] = [
  migrateDatabase,
  showDemoKey,
  showDemoCode,
  verifyBooks,
  listAllNodes,
  listAllSuppliers,
  showSupplier,
  listEvents,
  addSupplier,
  setSupplier,
  showSupplierAddress,
  certifySupplier,
  testSupplier,
  rotateSupplierKey,
  mapSupplierCode,
  listUnmappedCodes,
  pauseSupplier,
  resumeSupplier,
  restoreSupplier,
  routeSupplier,
  removeSupplier,
  listAllOutlets,
  addOutlet,
  setOutlet,
  rotateOutletKey,
  pauseOutlet,
  resumeOutlet,
  removeOutlet,
  listNumbers,
  addRange,
  disableRange,
  restoreNumbers,
  listSims,
  addSim,
  importSims,
  retireSimByHand,
  listSilentNumbers,
  resumeNumbers,
  listPrices,
  previewPrice,
  setPrice,
  removePrice,
  exportPrices,
  importPrices,
  roundPrices,
  listAllRates,
  setRate,
  setRateSource,
  listAllGateways,
  addGateway,
  setGateway,
  pauseGateway,
  resumeGateway,
  planChain,
  listChainFindings,
  settleChainFinding,
  rewindChain,
  listAllPayments,
  showPayment,
  recheckPayment,
  settlePaymentByHand,
  refundPaymentByHand,
  cancelRefundByHand,
  disputePayment,
  winDispute,
  loseDispute,
  createVouchers,
  withdrawVoucherBatch,
  listReferral,
  showReferral,
  approveWithdrawal,
  payWithdrawal,
  refuseWithdrawal,
  clearInvitation,
  barInvitation,
  listBonuses,
  addBonusRule,
  endBonus,
  showUser,
  creditUser,
  giveKey,
  listAllKeys,
  revokeKeyByHand,
  giveRole,
  blockUser,
  unblockUser,
  signOutUser,
  turnTwoFactorOff,
  takePasskeysOff,
  takeTelegramOff,
  limitUser,
  unpauseUser,
  exportUser,
  eraseUser,
  listErasedUsers,
  eraseAgain,
  listAllServices,
  listAllCountries,
  blockService,
  unblockService,
  listSenders,
  setSender,
  removeSender,
  ignoreSender,
  heedSender,
  listAllOrders,
  showOrder,
  refundOrder,
  refundTexts,
  listMessagesAside,
  judgeMessages,
  attachMessageByHand,
  listAllNotices,
  setNotice,
  removeNotice,
  sendNews,
  listAllIncidents,
  openIncident,
  updateIncident,
  closeIncident,
  listStandingAlarms,
  muteAlarms,
  unmuteAlarms,
  stopBuying,
  startBuying,
  lookUpNumber,
  listLookups,
  listChanges,
]
