import type { groups as en } from '../en/groups.ts';
import type { Texts } from '../texts.ts';

export const groups: Texts<typeof en> = {
  allTags: 'Có tất cả các thẻ này',
  anyTag: 'Có ít nhất một trong các thẻ này',
  noTag: 'Không có thẻ nào trong số này',
  filterTags: 'Lọc theo thẻ',
  removeTag: 'Xóa thẻ {{tag}}',
  conditionIs: '{{name}}: {{value}}',
  fits: '{{orientation}}, hoặc chưa báo cáo',
  ad: 'Quảng cáo đã phát hành',
  releasedAd: 'Quảng cáo đã phát hành, không tính chiến dịch',
  gone: 'đã xóa',
  change: 'Đổi bộ lọc',
  changing: 'Bạn đang đổi bộ lọc của nhóm {{name}}. Lượt phát hành thường trực sẽ theo nhóm ngay khi bạn lưu.',
  everything: 'Không có bộ lọc: mọi thiết bị của {{username}} và người dùng bên dưới',
};
