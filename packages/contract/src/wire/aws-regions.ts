import { t } from './text.ts'

/** AWS regions for selects. Others are valid too. */
export const AWS_REGIONS = Object.entries({
  'us-east-1': t('US East (N. Virginia)'),
  'us-east-2': t('US East (Ohio)'),
  'us-west-1': t('US West (N. California)'),
  'us-west-2': t('US West (Oregon)'),
  'af-south-1': t('Africa (Cape Town)'),
  'ap-east-1': t('Asia Pacific (Hong Kong)'),
  'ap-southeast-3': t('Asia Pacific (Jakarta)'),
  'ap-south-1': t('Asia Pacific (Mumbai)'),
  'ap-northeast-3': t('Asia Pacific (Osaka)'),
  'ap-northeast-2': t('Asia Pacific (Seoul)'),
  'ap-southeast-1': t('Asia Pacific (Singapore)'),
  'ap-southeast-2': t('Asia Pacific (Sydney)'),
  'ap-northeast-1': t('Asia Pacific (Tokyo)'),
  'ca-central-1': t('Canada (Central)'),
  'eu-central-1': t('Europe (Frankfurt)'),
  'eu-west-1': t('Europe (Ireland)'),
  'eu-west-2': t('Europe (London)'),
  'eu-south-1': t('Europe (Milan)'),
  'eu-west-3': t('Europe (Paris)'),
  'eu-north-1': t('Europe (Stockholm)'),
  'me-south-1': t('Middle East (Bahrain)'),
  'sa-east-1': t('South America (São Paulo)'),
}).map(([value, label]) => ({ value, label }))
