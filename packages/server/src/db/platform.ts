import {
  char,
  datetime,
  flag,
  int,
  mediumtext,
  oneOf,
  type Rows,
  sid,
  type Table,
  table,
  text,
  timestamp,
  varbinary,
  varchar,
} from './column.ts'

/**
 * The platform's tables: the source of row types, DDL, and the check of existing databases. `optional` marks tables and
 * columns that some databases lack.
 */
export const platform = {
  accounts: table(
    {
      account_sid: sid,
      name: varchar(64),
      sip_realm: varchar(132).null,
      service_provider_sid: sid,
      registration_hook_sid: sid.null,
      queue_event_hook_sid: sid.null,
      device_calling_application_sid: sid.null,
      is_active: flag.default(1),
      created_at: datetime.now,
      plan_type: oneOf('trial', 'free', 'paid').default('trial'),
      stripe_customer_id: varchar(56).null,
      webhook_secret: varchar(36),
      disable_cdrs: flag.default(0),
      trial_end_date: datetime.null,
      deactivated_reason: varchar(255).null,
      device_to_call_ratio: int.default(5),
      subspace_client_id: varchar(255).null,
      subspace_client_secret: varchar(255).null,
      subspace_sip_teleport_id: varchar(255).null,
      subspace_sip_teleport_destinations: varchar(255).null,
      siprec_hook_sid: sid.null,
      record_all_calls: flag.default(0),
      record_format: varchar(16).default('mp3'),
      bucket_credential: varchar(8192).null,
      enable_debug_log: flag.default(0),
    },
    {
      primary: 'account_sid',
      unique: {
        account_sid: ['account_sid'],
        sip_realm: ['sip_realm'],
      },
      index: {
        account_sid_idx: ['account_sid'],
        device_calling_application_sid_idxfk: ['device_calling_application_sid'],
        queue_event_hook_sid_idxfk: ['queue_event_hook_sid'],
        registration_hook_sid_idxfk_1: ['registration_hook_sid'],
        service_provider_sid_idx: ['service_provider_sid'],
        siprec_hook_sid_idxfk: ['siprec_hook_sid'],
        sip_realm_idx: ['sip_realm'],
      },
      foreign: {
        device_calling_application_sid_idxfk: ['device_calling_application_sid', 'applications'],
        queue_event_hook_sid_idxfk: ['queue_event_hook_sid', 'webhooks'],
        registration_hook_sid_idxfk_1: ['registration_hook_sid', 'webhooks'],
        service_provider_sid_idxfk_10: ['service_provider_sid', 'service_providers'],
        siprec_hook_sid_idxfk: ['siprec_hook_sid', 'applications'],
      },
    },
  ),
  account_limits: table(
    {
      account_limits_sid: sid,
      account_sid: sid,
      category: oneOf(
        'api_rate',
        'voice_call_session',
        'device',
        'voice_call_minutes',
        'voice_call_session_license',
        'voice_call_minutes_license',
      ),
      quantity: int,
    },
    {
      primary: 'account_limits_sid',
      unique: {
        account_limits_sid: ['account_limits_sid'],
      },
      index: {
        account_sid_idx: ['account_sid'],
      },
      foreign: {
        account_sid_idxfk_1: ['account_sid', 'accounts', 'cascade'],
      },
    },
  ),
  account_offers: table(
    {
      account_offer_sid: sid,
      account_sid: sid,
      product_sid: sid,
      stripe_product_id: varchar(56),
    },
    {
      primary: 'account_offer_sid',
      unique: {
        account_offer_sid: ['account_offer_sid'],
      },
      index: {
        account_offer_sid_idx: ['account_offer_sid'],
        account_sid_idx: ['account_sid'],
        product_sid_idx: ['product_sid'],
      },
      foreign: {
        account_sid_idxfk_5: ['account_sid', 'accounts'],
        product_sid_idxfk_1: ['product_sid', 'products'],
      },
    },
  ),
  account_products: table(
    {
      account_product_sid: sid,
      account_subscription_sid: sid,
      product_sid: sid,
      quantity: int,
    },
    {
      primary: 'account_product_sid',
      unique: {
        account_product_sid: ['account_product_sid'],
      },
      index: {
        account_product_sid_idx: ['account_product_sid'],
        account_subscription_sid_idx: ['account_subscription_sid'],
        product_sid_idxfk: ['product_sid'],
      },
      foreign: {
        account_subscription_sid_idxfk: ['account_subscription_sid', 'account_subscriptions'],
        product_sid_idxfk: ['product_sid', 'products'],
      },
    },
  ),
  account_static_ips: table(
    {
      account_static_ip_sid: sid,
      account_sid: sid,
      public_ipv4: varchar(16),
      private_ipv4: varbinary(16),
    },
    {
      primary: 'account_static_ip_sid',
      unique: {
        account_static_ip_sid: ['account_static_ip_sid'],
        private_ipv4: ['private_ipv4'],
        public_ipv4: ['public_ipv4'],
      },
      index: {
        account_sid_idx: ['account_sid'],
        account_static_ip_sid_idx: ['account_static_ip_sid'],
      },
      foreign: {
        account_sid_idxfk: ['account_sid', 'accounts'],
      },
    },
  ),
  account_subscriptions: table(
    {
      account_subscription_sid: sid,
      account_sid: sid,
      pending: flag.default(0),
      effective_start_date: datetime.now,
      effective_end_date: datetime.null,
      change_reason: varchar(255).null,
      stripe_subscription_id: varchar(56).null,
      stripe_payment_method_id: varchar(56).null,
      stripe_statement_descriptor: varchar(255).null,
      last4: varchar(512).null,
      exp_month: int.null,
      exp_year: int.null,
      card_type: varchar(16).null,
      pending_reason: varbinary(52).null,
    },
    {
      primary: 'account_subscription_sid',
      unique: {
        account_subscription_sid: ['account_subscription_sid'],
      },
      index: {
        account_sid_idx: ['account_sid'],
        account_subscription_sid_idx: ['account_subscription_sid'],
      },
      foreign: {
        account_sid_idxfk_2: ['account_sid', 'accounts'],
      },
    },
  ),
  api_keys: table(
    {
      api_key_sid: sid,
      token: sid,
      account_sid: sid.null,
      service_provider_sid: sid.null,
      expires_at: timestamp.null,
      last_used: timestamp.null,
      created_at: timestamp.null.now,
    },
    {
      primary: 'api_key_sid',
      unique: {
        api_key_sid: ['api_key_sid'],
        token: ['token'],
      },
      index: {
        account_sid_idx: ['account_sid'],
        api_key_sid_idx: ['api_key_sid'],
        service_provider_sid_idx: ['service_provider_sid'],
      },
      foreign: {
        account_sid_idxfk_6: ['account_sid', 'accounts'],
        service_provider_sid_idxfk: ['service_provider_sid', 'service_providers'],
      },
    },
  ),
  applications: table(
    {
      application_sid: sid,
      name: varchar(64),
      service_provider_sid: sid.null,
      account_sid: sid.null,
      call_hook_sid: sid.null,
      call_status_hook_sid: sid.null,
      messaging_hook_sid: sid.null.optional,
      app_json: text.null,
      speech_synthesis_vendor: varchar(64).default('google'),
      speech_synthesis_language: varchar(12).default('en-US'),
      speech_synthesis_voice: varchar(256).null.default('en-US-Standard-C'),
      speech_synthesis_label: varchar(64).null,
      speech_recognizer_vendor: varchar(64).default('google'),
      speech_recognizer_language: varchar(64).default('en-US'),
      speech_recognizer_label: varchar(64).null,
      use_for_fallback_speech: flag.null.default(0),
      fallback_speech_synthesis_vendor: varchar(64).null,
      fallback_speech_synthesis_language: varchar(12).null,
      fallback_speech_synthesis_voice: varchar(256).null,
      fallback_speech_synthesis_label: varchar(64).null,
      fallback_speech_recognizer_vendor: varchar(64).null,
      fallback_speech_recognizer_language: varchar(64).null,
      fallback_speech_recognizer_label: varchar(64).null,
      env_vars: text.null,
      created_at: datetime.now,
      record_all_calls: flag.default(0),
    },
    {
      primary: 'application_sid',
      unique: {
        applications_idx_name: ['account_sid', 'name'],
        application_sid: ['application_sid'],
      },
      index: {
        account_sid_idx: ['account_sid'],
        application_sid_idx: ['application_sid'],
        call_hook_sid_idxfk: ['call_hook_sid'],
        call_status_hook_sid_idxfk: ['call_status_hook_sid'],
        messaging_hook_sid_idxfk: ['messaging_hook_sid'],
        service_provider_sid_idx: ['service_provider_sid'],
      },
      foreign: {
        account_sid_idxfk_12: ['account_sid', 'accounts'],
        call_hook_sid_idxfk: ['call_hook_sid', 'webhooks'],
        call_status_hook_sid_idxfk: ['call_status_hook_sid', 'webhooks'],
        messaging_hook_sid_idxfk: ['messaging_hook_sid', 'webhooks'],
        service_provider_sid_idxfk_9: ['service_provider_sid', 'service_providers'],
      },
    },
  ),
  beta_invite_codes: table(
    {
      invite_code: char(6),
      in_use: flag.default(0),
    },
    {
      primary: 'invite_code',
      unique: {
        invite_code: ['invite_code'],
      },
      index: {
        invite_code_idx: ['invite_code'],
      },
    },
  ),
  call_routes: table(
    {
      call_route_sid: sid,
      priority: int,
      account_sid: sid,
      regex: varchar(255),
      application_sid: sid,
    },
    {
      primary: 'call_route_sid',
      unique: {
        call_route_sid: ['call_route_sid'],
      },
      index: {
        account_sid_idxfk_3: ['account_sid'],
        application_sid_idxfk: ['application_sid'],
        call_route_sid_idx: ['call_route_sid'],
      },
      foreign: {
        account_sid_idxfk_3: ['account_sid', 'accounts'],
        application_sid_idxfk: ['application_sid', 'applications'],
      },
    },
  ),
  clients: table(
    {
      client_sid: sid,
      account_sid: sid,
      is_active: flag.default(1),
      username: varchar(64).null,
      password: varchar(1024).null,
      allow_direct_app_calling: flag.default(1),
      allow_direct_queue_calling: flag.default(1),
      allow_direct_user_calling: flag.default(1),
    },
    {
      primary: 'client_sid',
      unique: {
        client_sid: ['client_sid'],
      },
      index: {
        account_sid_idxfk_13: ['account_sid'],
        client_sid_idx: ['client_sid'],
      },
      foreign: {
        account_sid_idxfk_13: ['account_sid', 'accounts'],
      },
    },
  ),
  dns_records: table(
    {
      dns_record_sid: sid,
      account_sid: sid,
      record_type: varchar(6),
      record_id: int,
    },
    {
      primary: 'dns_record_sid',
      unique: {
        dns_record_sid: ['dns_record_sid'],
      },
      index: {
        account_sid_idxfk_4: ['account_sid'],
        dns_record_sid_idx: ['dns_record_sid'],
      },
      foreign: {
        account_sid_idxfk_4: ['account_sid', 'accounts'],
      },
    },
  ),
  google_custom_voices: table(
    {
      google_custom_voice_sid: sid,
      speech_credential_sid: sid,
      model: varchar(512),
      reported_usage: oneOf('REPORTED_USAGE_UNSPECIFIED', 'REALTIME', 'OFFLINE').null.default(
        'REALTIME',
      ),
      name: varchar(64),
      voice_cloning_key: mediumtext.null,
      use_voice_cloning_key: flag.null.default(0),
    },
    {
      primary: 'google_custom_voice_sid',
      unique: {
        google_custom_voice_sid: ['google_custom_voice_sid'],
      },
      index: {
        google_custom_voice_sid_idx: ['google_custom_voice_sid'],
        speech_credential_sid_idx: ['speech_credential_sid'],
      },
      foreign: {
        speech_credential_sid_idxfk: ['speech_credential_sid', 'speech_credentials', 'cascade'],
      },
    },
  ),
  lcr: table(
    {
      lcr_sid: sid,
      name: varchar(64).null,
      is_active: flag.default(1),
      default_carrier_set_entry_sid: sid.null,
      service_provider_sid: sid.null,
      account_sid: sid.null,
    },
    {
      primary: 'lcr_sid',
      unique: {
        lcr_sid: ['lcr_sid'],
      },
      index: {
        account_sid_idx: ['account_sid'],
        default_carrier_set_entry_sid_idxfk: ['default_carrier_set_entry_sid'],
        lcr_sid_idx: ['lcr_sid'],
        service_provider_sid_idx: ['service_provider_sid'],
      },
      foreign: {
        default_carrier_set_entry_sid_idxfk: [
          'default_carrier_set_entry_sid',
          'lcr_carrier_set_entry',
        ],
      },
    },
  ),
  lcr_carrier_set_entry: table(
    {
      lcr_carrier_set_entry_sid: sid,
      workload: int.default(1),
      lcr_route_sid: sid,
      voip_carrier_sid: sid,
      priority: int.default(0),
    },
    {
      primary: 'lcr_carrier_set_entry_sid',
      index: {
        lcr_route_sid_idxfk: ['lcr_route_sid'],
        voip_carrier_sid_idxfk_3: ['voip_carrier_sid'],
      },
      foreign: {
        lcr_route_sid_idxfk: ['lcr_route_sid', 'lcr_routes'],
        voip_carrier_sid_idxfk_3: ['voip_carrier_sid', 'voip_carriers'],
      },
    },
  ),
  lcr_routes: table(
    {
      lcr_route_sid: sid,
      lcr_sid: sid,
      regex: varchar(32),
      description: varchar(1024).null,
      priority: int,
    },
    {
      primary: 'lcr_route_sid',
      index: {
        lcr_sid_idx: ['lcr_sid'],
      },
      foreign: {
        lcr_sid_idxfk: ['lcr_sid', 'lcr'],
      },
    },
  ),
  ms_teams_tenants: table(
    {
      ms_teams_tenant_sid: sid,
      service_provider_sid: sid,
      account_sid: sid,
      application_sid: sid.null,
      tenant_fqdn: varchar(255),
    },
    {
      primary: 'ms_teams_tenant_sid',
      unique: {
        ms_teams_tenant_sid: ['ms_teams_tenant_sid'],
        tenant_fqdn: ['tenant_fqdn'],
      },
      index: {
        account_sid_idxfk_7: ['account_sid'],
        application_sid_idxfk_1: ['application_sid'],
        ms_teams_tenant_sid_idx: ['ms_teams_tenant_sid'],
        service_provider_sid_idxfk_2: ['service_provider_sid'],
        tenant_fqdn_idx: ['tenant_fqdn'],
      },
      foreign: {
        account_sid_idxfk_7: ['account_sid', 'accounts'],
        application_sid_idxfk_1: ['application_sid', 'applications'],
        service_provider_sid_idxfk_2: ['service_provider_sid', 'service_providers'],
      },
    },
  ),
  password_settings: table({
    min_password_length: int.default(8),
    require_digit: flag.default(0),
    require_special_character: flag.default(0),
  }),
  permissions: table(
    {
      permission_sid: sid,
      name: varchar(32),
      description: varchar(255).null,
    },
    {
      primary: 'permission_sid',
      unique: {
        name: ['name'],
        permission_sid: ['permission_sid'],
      },
      index: {
        permission_sid_idx: ['permission_sid'],
      },
    },
  ),
  phone_numbers: table(
    {
      phone_number_sid: sid,
      number: varchar(132),
      voip_carrier_sid: sid.null,
      account_sid: sid.null,
      application_sid: sid.null,
      service_provider_sid: sid.null,
    },
    {
      primary: 'phone_number_sid',
      unique: {
        phone_numbers_unique_idx_voip_carrier_number: ['number', 'voip_carrier_sid'],
        phone_number_sid: ['phone_number_sid'],
      },
      index: {
        account_sid_idxfk_11: ['account_sid'],
        application_sid_idxfk_3: ['application_sid'],
        number_idx: ['number'],
        phone_number_sid_idx: ['phone_number_sid'],
        service_provider_sid_idx: ['service_provider_sid'],
        voip_carrier_sid_idx: ['voip_carrier_sid'],
      },
      foreign: {
        account_sid_idxfk_11: ['account_sid', 'accounts'],
        application_sid_idxfk_3: ['application_sid', 'applications'],
        service_provider_sid_idxfk_8: ['service_provider_sid', 'service_providers'],
        voip_carrier_sid_idxfk_1: ['voip_carrier_sid', 'voip_carriers'],
      },
    },
  ),
  predefined_carriers: table(
    {
      predefined_carrier_sid: sid,
      name: varchar(64),
      requires_static_ip: flag.default(0),
      e164_leading_plus: flag.default(0),
      requires_register: flag.default(0),
      register_username: varchar(64).null,
      register_sip_realm: varchar(64).null,
      register_password: varchar(64).null,
      tech_prefix: varchar(16).null,
      inbound_auth_username: varchar(64).null,
      inbound_auth_password: varchar(64).null,
      diversion: varchar(32).null,
      trunk_type: oneOf('static_ip', 'auth', 'reg').default('static_ip'),
    },
    {
      primary: 'predefined_carrier_sid',
      unique: {
        predefined_carrier_sid: ['predefined_carrier_sid'],
      },
      index: {
        predefined_carrier_sid_idx: ['predefined_carrier_sid'],
      },
    },
  ),
  predefined_sip_gateways: table(
    {
      predefined_sip_gateway_sid: sid,
      ipv4: varchar(128),
      port: int.default(5060),
      inbound: flag,
      outbound: flag,
      netmask: int.default(32),
      predefined_carrier_sid: sid,
      send_options_ping: flag.default(0).optional,
      use_sips_scheme: flag.default(0).optional,
      pad_crypto: flag.default(0).optional,
      remove_ice: flag.default(0).optional,
      dtls_off: flag.default(0).optional,
      protocol: oneOf('udp', 'tcp', 'tls', 'tls/srtp').null.default('udp').optional,
    },
    {
      primary: 'predefined_sip_gateway_sid',
      unique: {
        predefined_sip_gateway_sid: ['predefined_sip_gateway_sid'],
      },
      index: {
        predefined_carrier_sid_idx: ['predefined_carrier_sid'],
        predefined_sip_gateway_sid_idx: ['predefined_sip_gateway_sid'],
      },
      foreign: {
        predefined_carrier_sid_idxfk: ['predefined_carrier_sid', 'predefined_carriers'],
      },
    },
  ),
  predefined_smpp_gateways: table(
    {
      predefined_smpp_gateway_sid: sid,
      ipv4: varchar(128),
      port: int.default(2775),
      inbound: flag,
      outbound: flag,
      netmask: int.default(32),
      is_primary: flag.default(1),
      use_tls: flag.null.default(0),
      predefined_carrier_sid: sid,
    },
    {
      primary: 'predefined_smpp_gateway_sid',
      unique: {
        predefined_smpp_gateway_sid: ['predefined_smpp_gateway_sid'],
      },
      index: {
        predefined_carrier_sid_idx: ['predefined_carrier_sid'],
        predefined_smpp_gateway_sid_idx: ['predefined_smpp_gateway_sid'],
      },
      foreign: {
        predefined_carrier_sid_idxfk_1: ['predefined_carrier_sid', 'predefined_carriers'],
      },
      optional: true,
    },
  ),
  products: table(
    {
      product_sid: sid,
      name: varchar(32),
      category: oneOf('api_rate', 'voice_call_session', 'device'),
    },
    {
      primary: 'product_sid',
      unique: {
        product_sid: ['product_sid'],
      },
      index: {
        product_sid_idx: ['product_sid'],
      },
    },
  ),
  sbc_addresses: table(
    {
      sbc_address_sid: sid,
      ipv4: varchar(255),
      port: int.default(5060),
      tls_port: int.null,
      wss_port: int.null,
      service_provider_sid: sid.null,
      last_updated: datetime.null,
    },
    {
      primary: 'sbc_address_sid',
      unique: {
        sbc_address_sid: ['sbc_address_sid'],
      },
      index: {
        sbc_addresses_idx_host_port: ['ipv4', 'port'],
        sbc_address_sid_idx: ['sbc_address_sid'],
        service_provider_sid_idx: ['service_provider_sid'],
      },
      foreign: {
        service_provider_sid_idxfk_1: ['service_provider_sid', 'service_providers'],
      },
    },
  ),
  schema_version: table({
    version: varchar(16).null,
  }),
  service_providers: table(
    {
      service_provider_sid: sid,
      name: varchar(64),
      description: varchar(255).null,
      root_domain: varchar(128).null,
      registration_hook_sid: sid.null,
      ms_teams_fqdn: varchar(255).null,
    },
    {
      primary: 'service_provider_sid',
      unique: {
        name: ['name'],
        root_domain: ['root_domain'],
        service_provider_sid: ['service_provider_sid'],
      },
      index: {
        name_idx: ['name'],
        registration_hook_sid_idxfk: ['registration_hook_sid'],
        root_domain_idx: ['root_domain'],
        service_provider_sid_idx: ['service_provider_sid'],
      },
      foreign: {
        registration_hook_sid_idxfk: ['registration_hook_sid', 'webhooks'],
      },
    },
  ),
  service_provider_limits: table(
    {
      service_provider_limits_sid: sid,
      service_provider_sid: sid,
      category: oneOf(
        'api_rate',
        'voice_call_session',
        'device',
        'voice_call_minutes',
        'voice_call_session_license',
        'voice_call_minutes_license',
      ),
      quantity: int,
    },
    {
      primary: 'service_provider_limits_sid',
      unique: {
        service_provider_limits_sid: ['service_provider_limits_sid'],
      },
      index: {
        service_provider_sid_idx: ['service_provider_sid'],
      },
      foreign: {
        service_provider_sid_idxfk_3: ['service_provider_sid', 'service_providers', 'cascade'],
      },
    },
  ),
  signup_history: table(
    {
      email: varchar(255),
      name: varchar(255).null,
      signed_up_at: datetime.null.now,
    },
    {
      primary: 'email',
      index: {
        email_idx: ['email'],
      },
    },
  ),
  sip_gateways: table(
    {
      sip_gateway_sid: sid,
      ipv4: varchar(128),
      netmask: int.default(32),
      port: int.null,
      inbound: flag,
      outbound: flag,
      voip_carrier_sid: sid,
      is_active: flag.default(1),
      send_options_ping: flag.default(0),
      use_sips_scheme: flag.default(0),
      pad_crypto: flag.default(0),
      protocol: oneOf('udp', 'tcp', 'tls', 'tls/srtp').null.default('udp'),
      remove_ice: flag.default(0),
      dtls_off: flag.default(0),
    },
    {
      primary: 'sip_gateway_sid',
      index: {
        idx_sip_gateways_inbound_carrier: ['inbound', 'voip_carrier_sid'],
        idx_sip_gateways_inbound_lookup: ['inbound', 'netmask', 'ipv4'],
        idx_sip_gateways_inbound_netmask: ['inbound', 'netmask'],
        sip_gateway_idx_hostport: ['ipv4', 'port'],
        voip_carrier_sid_idx: ['voip_carrier_sid'],
      },
      foreign: {
        voip_carrier_sid_idxfk_2: ['voip_carrier_sid', 'voip_carriers'],
      },
    },
  ),
  smpp_addresses: table(
    {
      smpp_address_sid: sid,
      ipv4: varchar(255),
      port: int.default(5060),
      use_tls: flag.default(0),
      is_primary: flag.default(1),
      service_provider_sid: sid.null,
    },
    {
      primary: 'smpp_address_sid',
      unique: {
        smpp_address_sid: ['smpp_address_sid'],
      },
      index: {
        service_provider_sid_idx: ['service_provider_sid'],
        smpp_address_sid_idx: ['smpp_address_sid'],
      },
      foreign: {
        service_provider_sid_idxfk_4: ['service_provider_sid', 'service_providers'],
      },
      optional: true,
    },
  ),
  smpp_gateways: table(
    {
      smpp_gateway_sid: sid,
      ipv4: varchar(128),
      port: int.default(2775),
      netmask: int.default(32),
      is_primary: flag.default(1),
      inbound: flag.default(0),
      outbound: flag.default(1),
      use_tls: flag.null.default(0),
      voip_carrier_sid: sid,
    },
    {
      primary: 'smpp_gateway_sid',
      unique: {
        smpp_gateway_sid: ['smpp_gateway_sid'],
      },
      index: {
        smpp_gateway_sid_idx: ['smpp_gateway_sid'],
        voip_carrier_sid_idx: ['voip_carrier_sid'],
      },
      foreign: {
        voip_carrier_sid_idxfk: ['voip_carrier_sid', 'voip_carriers'],
      },
      optional: true,
    },
  ),
  speech_credentials: table(
    {
      speech_credential_sid: sid,
      service_provider_sid: sid.null,
      account_sid: sid.null,
      vendor: varchar(32),
      credential: varchar(8192),
      use_for_tts: flag.null.default(1),
      use_for_stt: flag.null.default(1),
      last_used: datetime.null,
      last_tested: datetime.null,
      tts_tested_ok: flag.null,
      stt_tested_ok: flag.null,
      created_at: datetime.now,
      label: varchar(64).null,
    },
    {
      primary: 'speech_credential_sid',
      unique: {
        speech_credential_sid: ['speech_credential_sid'],
      },
      index: {
        account_sid_idx: ['account_sid'],
        service_provider_sid_idx: ['service_provider_sid'],
        speech_credential_sid_idx: ['speech_credential_sid'],
      },
      foreign: {
        account_sid_idxfk_8: ['account_sid', 'accounts'],
        service_provider_sid_idxfk_5: ['service_provider_sid', 'service_providers'],
      },
    },
  ),
  system_information: table({
    domain_name: varchar(255).null,
    sip_domain_name: varchar(255).null,
    monitoring_domain_name: varchar(255).null,
    private_network_cidr: varchar(8192).null,
    log_level: oneOf('info', 'debug').default('info'),
  }),
  users: table(
    {
      user_sid: sid,
      name: varchar(255),
      email: varchar(255),
      pending_email: varchar(255).null,
      phone: varchar(20).null,
      hashed_password: varchar(1024).null,
      account_sid: sid.null,
      service_provider_sid: sid.null,
      force_change: flag.default(0),
      provider: varchar(255),
      provider_userid: varchar(255).null,
      scope: varchar(16).default('read-write'),
      phone_activation_code: varchar(16).null,
      email_activation_code: varchar(16).null,
      email_validated: flag.default(0),
      phone_validated: flag.default(0),
      email_content_opt_out: flag.default(0),
      is_active: flag.default(1),
    },
    {
      primary: 'user_sid',
      unique: {
        phone: ['phone'],
        user_sid: ['user_sid'],
      },
      index: {
        account_sid_idx: ['account_sid'],
        email_activation_code_idx: ['email_activation_code'],
        email_idx: ['email'],
        phone_idx: ['phone'],
        service_provider_sid_idx: ['service_provider_sid'],
        user_sid_idx: ['user_sid'],
      },
      foreign: {
        account_sid_idxfk_9: ['account_sid', 'accounts'],
        service_provider_sid_idxfk_6: ['service_provider_sid', 'service_providers'],
      },
    },
  ),
  user_permissions: table(
    {
      user_permissions_sid: sid,
      user_sid: sid,
      permission_sid: sid,
    },
    {
      primary: 'user_permissions_sid',
      unique: {
        user_permissions_sid: ['user_permissions_sid'],
      },
      index: {
        permission_sid_idxfk: ['permission_sid'],
        user_permissions_sid_idx: ['user_permissions_sid'],
        user_sid_idx: ['user_sid'],
      },
      foreign: {
        permission_sid_idxfk: ['permission_sid', 'permissions'],
        user_sid_idxfk: ['user_sid', 'users', 'cascade'],
      },
    },
  ),
  voip_carriers: table(
    {
      voip_carrier_sid: sid,
      name: varchar(64),
      description: varchar(255).null,
      account_sid: sid.null,
      service_provider_sid: sid.null,
      application_sid: sid.null,
      e164_leading_plus: flag.default(0),
      requires_register: flag.default(0),
      register_username: varchar(64).null,
      register_sip_realm: varchar(64).null,
      register_password: varchar(64).null,
      tech_prefix: varchar(16).null,
      inbound_auth_username: varchar(64).null,
      inbound_auth_password: varchar(64).null,
      diversion: varchar(32).null,
      is_active: flag.default(1),
      created_at: datetime.now,
      smpp_system_id: varchar(255).null,
      smpp_password: varchar(64).null,
      smpp_enquire_link_interval: int.null.default(0),
      smpp_inbound_system_id: varchar(255).null,
      smpp_inbound_password: varchar(64).null,
      register_from_user: varchar(128).null,
      register_from_domain: varchar(255).null,
      register_public_ip_in_contact: flag.default(0),
      register_status: varchar(4096).null,
      dtmf_type: oneOf('rfc2833', 'tones', 'info').default('rfc2833'),
      outbound_sip_proxy: varchar(255).null,
      trunk_type: oneOf('static_ip', 'auth', 'reg').default('static_ip'),
    },
    {
      primary: 'voip_carrier_sid',
      unique: {
        voip_carrier_sid: ['voip_carrier_sid'],
      },
      index: {
        account_sid_idx: ['account_sid'],
        application_sid_idxfk_2: ['application_sid'],
        service_provider_sid_idx: ['service_provider_sid'],
        voip_carrier_sid_idx: ['voip_carrier_sid'],
      },
      foreign: {
        account_sid_idxfk_10: ['account_sid', 'accounts'],
        application_sid_idxfk_2: ['application_sid', 'applications'],
        service_provider_sid_idxfk_7: ['service_provider_sid', 'service_providers'],
      },
    },
  ),
  webhooks: table(
    {
      webhook_sid: sid,
      url: varchar(1024),
      method: oneOf('GET', 'POST').default('POST'),
      username: varchar(255).null,
      password: varchar(255).null,
    },
    {
      primary: 'webhook_sid',
      unique: {
        webhook_sid: ['webhook_sid'],
      },
      index: {
        webhook_sid_idx: ['webhook_sid'],
      },
    },
  ),
}

export type PlatformTables = Rows<typeof platform>

/** The same tables by name, for code that handles any table. */
export const platformTables: Record<string, Table> = platform
