/** The filters of a group, in words. */
export const groups = {
  allTags: 'All of these tags',
  anyTag: 'At least one of these tags',
  noTag: 'None of these tags',
  filterTags: 'Filter by tags',
  removeTag: 'Remove the tag {{tag}}',
  conditionIs: '{{name}}: {{value}}',
  fits: '{{orientation}}, or not reported yet',
  ad: 'Ad released to it',
  releasedAd: 'Ad released to it, without campaigns',
  gone: 'deleted',
  change: 'Change filters',
  changing: 'You are changing the filters of the group {{name}}. Standing releases follow it as soon as you save.',
  everything: 'No filter: all devices of {{username}} and of the users below',
} as const;
