import { t } from '@switchroom/contract'
import { Button } from '../ui/button'
import { Notice } from '../ui/notice'

/** For a payment that waits for 3-D Secure authentication. */
export const BankChallenge = ({ onAnswer }: { onAnswer: () => void }) => (
  <div className="bank-question">
    <Notice tone="warn">
      {t('Your bank asks you to confirm a payment. You are not charged until you do.')}
    </Notice>
    <Button look="primary" onClick={onAnswer}>
      {t('Confirm with your bank')}
    </Button>
  </div>
)
