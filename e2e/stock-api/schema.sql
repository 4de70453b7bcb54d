-- The platform's tables as a stock API server finds them: columns, defaults, unique and foreign keys.
-- Written from the published facts of the schema, not from our server's own description of it.

CREATE TABLE `accounts` (
  `account_sid` char(36) NOT NULL,
  `name` varchar(64) NOT NULL,
  `sip_realm` varchar(132),
  `service_provider_sid` char(36) NOT NULL,
  `registration_hook_sid` char(36),
  `queue_event_hook_sid` char(36),
  `device_calling_application_sid` char(36),
  `is_active` boolean NOT NULL DEFAULT 1,
  `created_at` datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
  `plan_type` enum('trial','free','paid') NOT NULL DEFAULT 'trial',
  `stripe_customer_id` varchar(56),
  `webhook_secret` varchar(36) NOT NULL,
  `disable_cdrs` boolean NOT NULL DEFAULT 0,
  `trial_end_date` datetime,
  `deactivated_reason` varchar(255),
  `device_to_call_ratio` int NOT NULL DEFAULT 5,
  `subspace_client_id` varchar(255),
  `subspace_client_secret` varchar(255),
  `subspace_sip_teleport_id` varchar(255),
  `subspace_sip_teleport_destinations` varchar(255),
  `siprec_hook_sid` char(36),
  `record_all_calls` boolean NOT NULL DEFAULT 0,
  `record_format` varchar(16) NOT NULL DEFAULT 'mp3',
  `bucket_credential` varchar(8192),
  `enable_debug_log` boolean NOT NULL DEFAULT 0,
  PRIMARY KEY (`account_sid`),
  UNIQUE KEY `sip_realm` (`sip_realm`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `account_limits` (
  `account_limits_sid` char(36) NOT NULL,
  `account_sid` char(36) NOT NULL,
  `category` enum('api_rate','voice_call_session','device','voice_call_minutes','voice_call_session_license','voice_call_minutes_license') NOT NULL,
  `quantity` int NOT NULL,
  PRIMARY KEY (`account_limits_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `account_offers` (
  `account_offer_sid` char(36) NOT NULL,
  `account_sid` char(36) NOT NULL,
  `product_sid` char(36) NOT NULL,
  `stripe_product_id` varchar(56) NOT NULL,
  PRIMARY KEY (`account_offer_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `account_products` (
  `account_product_sid` char(36) NOT NULL,
  `account_subscription_sid` char(36) NOT NULL,
  `product_sid` char(36) NOT NULL,
  `quantity` int NOT NULL,
  PRIMARY KEY (`account_product_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `account_static_ips` (
  `account_static_ip_sid` char(36) NOT NULL,
  `account_sid` char(36) NOT NULL,
  `public_ipv4` varchar(16) NOT NULL,
  `private_ipv4` varbinary(16) NOT NULL,
  PRIMARY KEY (`account_static_ip_sid`),
  UNIQUE KEY `private_ipv4` (`private_ipv4`),
  UNIQUE KEY `public_ipv4` (`public_ipv4`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `account_subscriptions` (
  `account_subscription_sid` char(36) NOT NULL,
  `account_sid` char(36) NOT NULL,
  `pending` boolean NOT NULL DEFAULT 0,
  `effective_start_date` datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
  `effective_end_date` datetime,
  `change_reason` varchar(255),
  `stripe_subscription_id` varchar(56),
  `stripe_payment_method_id` varchar(56),
  `stripe_statement_descriptor` varchar(255),
  `last4` varchar(512),
  `exp_month` int,
  `exp_year` int,
  `card_type` varchar(16),
  `pending_reason` varbinary(52),
  PRIMARY KEY (`account_subscription_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `api_keys` (
  `api_key_sid` char(36) NOT NULL,
  `token` char(36) NOT NULL,
  `account_sid` char(36),
  `service_provider_sid` char(36),
  `expires_at` timestamp NULL,
  `last_used` timestamp NULL,
  `created_at` timestamp NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (`api_key_sid`),
  UNIQUE KEY `token` (`token`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `applications` (
  `application_sid` char(36) NOT NULL,
  `name` varchar(64) NOT NULL,
  `service_provider_sid` char(36),
  `account_sid` char(36),
  `call_hook_sid` char(36),
  `call_status_hook_sid` char(36),
  `messaging_hook_sid` char(36),
  `app_json` text,
  `speech_synthesis_vendor` varchar(64) NOT NULL DEFAULT 'google',
  `speech_synthesis_language` varchar(12) NOT NULL DEFAULT 'en-US',
  `speech_synthesis_voice` varchar(256) DEFAULT 'en-US-Standard-C',
  `speech_synthesis_label` varchar(64),
  `speech_recognizer_vendor` varchar(64) NOT NULL DEFAULT 'google',
  `speech_recognizer_language` varchar(64) NOT NULL DEFAULT 'en-US',
  `speech_recognizer_label` varchar(64),
  `use_for_fallback_speech` boolean DEFAULT 0,
  `fallback_speech_synthesis_vendor` varchar(64),
  `fallback_speech_synthesis_language` varchar(12),
  `fallback_speech_synthesis_voice` varchar(256),
  `fallback_speech_synthesis_label` varchar(64),
  `fallback_speech_recognizer_vendor` varchar(64),
  `fallback_speech_recognizer_language` varchar(64),
  `fallback_speech_recognizer_label` varchar(64),
  `env_vars` text,
  `created_at` datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
  `record_all_calls` boolean NOT NULL DEFAULT 0,
  PRIMARY KEY (`application_sid`),
  UNIQUE KEY `applications_idx_name` (`account_sid`, `name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `beta_invite_codes` (
  `invite_code` char(6) NOT NULL,
  `in_use` boolean NOT NULL DEFAULT 0,
  PRIMARY KEY (`invite_code`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `call_routes` (
  `call_route_sid` char(36) NOT NULL,
  `priority` int NOT NULL,
  `account_sid` char(36) NOT NULL,
  `regex` varchar(255) NOT NULL,
  `application_sid` char(36) NOT NULL,
  PRIMARY KEY (`call_route_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `clients` (
  `client_sid` char(36) NOT NULL,
  `account_sid` char(36) NOT NULL,
  `is_active` boolean NOT NULL DEFAULT 1,
  `username` varchar(64),
  `password` varchar(1024),
  `allow_direct_app_calling` boolean NOT NULL DEFAULT 1,
  `allow_direct_queue_calling` boolean NOT NULL DEFAULT 1,
  `allow_direct_user_calling` boolean NOT NULL DEFAULT 1,
  PRIMARY KEY (`client_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `dns_records` (
  `dns_record_sid` char(36) NOT NULL,
  `account_sid` char(36) NOT NULL,
  `record_type` varchar(6) NOT NULL,
  `record_id` int NOT NULL,
  PRIMARY KEY (`dns_record_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `google_custom_voices` (
  `google_custom_voice_sid` char(36) NOT NULL,
  `speech_credential_sid` char(36) NOT NULL,
  `model` varchar(512) NOT NULL,
  `reported_usage` enum('REPORTED_USAGE_UNSPECIFIED','REALTIME','OFFLINE') DEFAULT 'REALTIME',
  `name` varchar(64) NOT NULL,
  `voice_cloning_key` mediumtext,
  `use_voice_cloning_key` boolean DEFAULT 0,
  PRIMARY KEY (`google_custom_voice_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `lcr` (
  `lcr_sid` char(36) NOT NULL,
  `name` varchar(64),
  `is_active` boolean NOT NULL DEFAULT 1,
  `default_carrier_set_entry_sid` char(36),
  `service_provider_sid` char(36),
  `account_sid` char(36),
  PRIMARY KEY (`lcr_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `lcr_carrier_set_entry` (
  `lcr_carrier_set_entry_sid` char(36) NOT NULL,
  `workload` int NOT NULL DEFAULT 1,
  `lcr_route_sid` char(36) NOT NULL,
  `voip_carrier_sid` char(36) NOT NULL,
  `priority` int NOT NULL DEFAULT 0,
  PRIMARY KEY (`lcr_carrier_set_entry_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `lcr_routes` (
  `lcr_route_sid` char(36) NOT NULL,
  `lcr_sid` char(36) NOT NULL,
  `regex` varchar(32) NOT NULL,
  `description` varchar(1024),
  `priority` int NOT NULL,
  PRIMARY KEY (`lcr_route_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `ms_teams_tenants` (
  `ms_teams_tenant_sid` char(36) NOT NULL,
  `service_provider_sid` char(36) NOT NULL,
  `account_sid` char(36) NOT NULL,
  `application_sid` char(36),
  `tenant_fqdn` varchar(255) NOT NULL,
  PRIMARY KEY (`ms_teams_tenant_sid`),
  UNIQUE KEY `tenant_fqdn` (`tenant_fqdn`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `password_settings` (
  `min_password_length` int NOT NULL DEFAULT 8,
  `require_digit` boolean NOT NULL DEFAULT 0,
  `require_special_character` boolean NOT NULL DEFAULT 0
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `permissions` (
  `permission_sid` char(36) NOT NULL,
  `name` varchar(32) NOT NULL,
  `description` varchar(255),
  PRIMARY KEY (`permission_sid`),
  UNIQUE KEY `name` (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `phone_numbers` (
  `phone_number_sid` char(36) NOT NULL,
  `number` varchar(132) NOT NULL,
  `voip_carrier_sid` char(36),
  `account_sid` char(36),
  `application_sid` char(36),
  `service_provider_sid` char(36),
  PRIMARY KEY (`phone_number_sid`),
  UNIQUE KEY `phone_numbers_unique_idx_voip_carrier_number` (`number`, `voip_carrier_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `predefined_carriers` (
  `predefined_carrier_sid` char(36) NOT NULL,
  `name` varchar(64) NOT NULL,
  `requires_static_ip` boolean NOT NULL DEFAULT 0,
  `e164_leading_plus` boolean NOT NULL DEFAULT 0,
  `requires_register` boolean NOT NULL DEFAULT 0,
  `register_username` varchar(64),
  `register_sip_realm` varchar(64),
  `register_password` varchar(64),
  `tech_prefix` varchar(16),
  `inbound_auth_username` varchar(64),
  `inbound_auth_password` varchar(64),
  `diversion` varchar(32),
  `trunk_type` enum('static_ip','auth','reg') NOT NULL DEFAULT 'static_ip',
  PRIMARY KEY (`predefined_carrier_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `predefined_sip_gateways` (
  `predefined_sip_gateway_sid` char(36) NOT NULL,
  `ipv4` varchar(128) NOT NULL,
  `port` int NOT NULL DEFAULT 5060,
  `inbound` boolean NOT NULL,
  `outbound` boolean NOT NULL,
  `netmask` int NOT NULL DEFAULT 32,
  `predefined_carrier_sid` char(36) NOT NULL,
  PRIMARY KEY (`predefined_sip_gateway_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `predefined_smpp_gateways` (
  `predefined_smpp_gateway_sid` char(36) NOT NULL,
  `ipv4` varchar(128) NOT NULL,
  `port` int NOT NULL DEFAULT 2775,
  `inbound` boolean NOT NULL,
  `outbound` boolean NOT NULL,
  `netmask` int NOT NULL DEFAULT 32,
  `is_primary` boolean NOT NULL DEFAULT 1,
  `use_tls` boolean DEFAULT 0,
  `predefined_carrier_sid` char(36) NOT NULL,
  PRIMARY KEY (`predefined_smpp_gateway_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `products` (
  `product_sid` char(36) NOT NULL,
  `name` varchar(32) NOT NULL,
  `category` enum('api_rate','voice_call_session','device') NOT NULL,
  PRIMARY KEY (`product_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `sbc_addresses` (
  `sbc_address_sid` char(36) NOT NULL,
  `ipv4` varchar(255) NOT NULL,
  `port` int NOT NULL DEFAULT 5060,
  `tls_port` int,
  `wss_port` int,
  `service_provider_sid` char(36),
  `last_updated` datetime,
  PRIMARY KEY (`sbc_address_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `schema_version` (
  `version` varchar(16)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `service_providers` (
  `service_provider_sid` char(36) NOT NULL,
  `name` varchar(64) NOT NULL,
  `description` varchar(255),
  `root_domain` varchar(128),
  `registration_hook_sid` char(36),
  `ms_teams_fqdn` varchar(255),
  PRIMARY KEY (`service_provider_sid`),
  UNIQUE KEY `name` (`name`),
  UNIQUE KEY `root_domain` (`root_domain`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `service_provider_limits` (
  `service_provider_limits_sid` char(36) NOT NULL,
  `service_provider_sid` char(36) NOT NULL,
  `category` enum('api_rate','voice_call_session','device','voice_call_minutes','voice_call_session_license','voice_call_minutes_license') NOT NULL,
  `quantity` int NOT NULL,
  PRIMARY KEY (`service_provider_limits_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `signup_history` (
  `email` varchar(255) NOT NULL,
  `name` varchar(255),
  `signed_up_at` datetime DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (`email`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `sip_gateways` (
  `sip_gateway_sid` char(36) NOT NULL,
  `ipv4` varchar(128) NOT NULL,
  `netmask` int NOT NULL DEFAULT 32,
  `port` int,
  `inbound` boolean NOT NULL,
  `outbound` boolean NOT NULL,
  `voip_carrier_sid` char(36) NOT NULL,
  `is_active` boolean NOT NULL DEFAULT 1,
  `send_options_ping` boolean NOT NULL DEFAULT 0,
  `use_sips_scheme` boolean NOT NULL DEFAULT 0,
  `pad_crypto` boolean NOT NULL DEFAULT 0,
  `protocol` enum('udp','tcp','tls','tls/srtp') DEFAULT 'udp',
  `remove_ice` boolean NOT NULL DEFAULT 0,
  `dtls_off` boolean NOT NULL DEFAULT 0,
  PRIMARY KEY (`sip_gateway_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `smpp_addresses` (
  `smpp_address_sid` char(36) NOT NULL,
  `ipv4` varchar(255) NOT NULL,
  `port` int NOT NULL DEFAULT 5060,
  `use_tls` boolean NOT NULL DEFAULT 0,
  `is_primary` boolean NOT NULL DEFAULT 1,
  `service_provider_sid` char(36),
  PRIMARY KEY (`smpp_address_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `smpp_gateways` (
  `smpp_gateway_sid` char(36) NOT NULL,
  `ipv4` varchar(128) NOT NULL,
  `port` int NOT NULL DEFAULT 2775,
  `netmask` int NOT NULL DEFAULT 32,
  `is_primary` boolean NOT NULL DEFAULT 1,
  `inbound` boolean NOT NULL DEFAULT 0,
  `outbound` boolean NOT NULL DEFAULT 1,
  `use_tls` boolean DEFAULT 0,
  `voip_carrier_sid` char(36) NOT NULL,
  PRIMARY KEY (`smpp_gateway_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `speech_credentials` (
  `speech_credential_sid` char(36) NOT NULL,
  `service_provider_sid` char(36),
  `account_sid` char(36),
  `vendor` varchar(32) NOT NULL,
  `credential` varchar(8192) NOT NULL,
  `use_for_tts` boolean DEFAULT 1,
  `use_for_stt` boolean DEFAULT 1,
  `last_used` datetime,
  `last_tested` datetime,
  `tts_tested_ok` boolean,
  `stt_tested_ok` boolean,
  `created_at` datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
  `label` varchar(64),
  PRIMARY KEY (`speech_credential_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `system_information` (
  `domain_name` varchar(255),
  `sip_domain_name` varchar(255),
  `monitoring_domain_name` varchar(255),
  `private_network_cidr` varchar(8192),
  `log_level` enum('info','debug') NOT NULL DEFAULT 'info'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `users` (
  `user_sid` char(36) NOT NULL,
  `name` varchar(255) NOT NULL,
  `email` varchar(255) NOT NULL,
  `pending_email` varchar(255),
  `phone` varchar(20),
  `hashed_password` varchar(1024),
  `account_sid` char(36),
  `service_provider_sid` char(36),
  `force_change` boolean NOT NULL DEFAULT 0,
  `provider` varchar(255) NOT NULL,
  `provider_userid` varchar(255),
  `scope` varchar(16) NOT NULL DEFAULT 'read-write',
  `phone_activation_code` varchar(16),
  `email_activation_code` varchar(16),
  `email_validated` boolean NOT NULL DEFAULT 0,
  `phone_validated` boolean NOT NULL DEFAULT 0,
  `email_content_opt_out` boolean NOT NULL DEFAULT 0,
  `is_active` boolean NOT NULL DEFAULT 1,
  PRIMARY KEY (`user_sid`),
  UNIQUE KEY `phone` (`phone`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `user_permissions` (
  `user_permissions_sid` char(36) NOT NULL,
  `user_sid` char(36) NOT NULL,
  `permission_sid` char(36) NOT NULL,
  PRIMARY KEY (`user_permissions_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `voip_carriers` (
  `voip_carrier_sid` char(36) NOT NULL,
  `name` varchar(64) NOT NULL,
  `description` varchar(255),
  `account_sid` char(36),
  `service_provider_sid` char(36),
  `application_sid` char(36),
  `e164_leading_plus` boolean NOT NULL DEFAULT 0,
  `requires_register` boolean NOT NULL DEFAULT 0,
  `register_username` varchar(64),
  `register_sip_realm` varchar(64),
  `register_password` varchar(64),
  `tech_prefix` varchar(16),
  `inbound_auth_username` varchar(64),
  `inbound_auth_password` varchar(64),
  `diversion` varchar(32),
  `is_active` boolean NOT NULL DEFAULT 1,
  `created_at` datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
  `smpp_system_id` varchar(255),
  `smpp_password` varchar(64),
  `smpp_enquire_link_interval` int DEFAULT 0,
  `smpp_inbound_system_id` varchar(255),
  `smpp_inbound_password` varchar(64),
  `register_from_user` varchar(128),
  `register_from_domain` varchar(255),
  `register_public_ip_in_contact` boolean NOT NULL DEFAULT 0,
  `register_status` varchar(4096),
  `dtmf_type` enum('rfc2833','tones','info') NOT NULL DEFAULT 'rfc2833',
  `outbound_sip_proxy` varchar(255),
  `trunk_type` enum('static_ip','auth','reg') NOT NULL DEFAULT 'static_ip',
  PRIMARY KEY (`voip_carrier_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `webhooks` (
  `webhook_sid` char(36) NOT NULL,
  `url` varchar(1024) NOT NULL,
  `method` enum('GET','POST') NOT NULL DEFAULT 'POST',
  `username` varchar(255),
  `password` varchar(255),
  PRIMARY KEY (`webhook_sid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

ALTER TABLE `accounts`
  ADD CONSTRAINT `device_calling_application_sid_idxfk` FOREIGN KEY (`device_calling_application_sid`) REFERENCES `applications` (`application_sid`),
  ADD CONSTRAINT `queue_event_hook_sid_idxfk` FOREIGN KEY (`queue_event_hook_sid`) REFERENCES `webhooks` (`webhook_sid`),
  ADD CONSTRAINT `registration_hook_sid_idxfk_1` FOREIGN KEY (`registration_hook_sid`) REFERENCES `webhooks` (`webhook_sid`),
  ADD CONSTRAINT `service_provider_sid_idxfk_10` FOREIGN KEY (`service_provider_sid`) REFERENCES `service_providers` (`service_provider_sid`),
  ADD CONSTRAINT `siprec_hook_sid_idxfk` FOREIGN KEY (`siprec_hook_sid`) REFERENCES `applications` (`application_sid`);

ALTER TABLE `account_limits`
  ADD CONSTRAINT `account_sid_idxfk_1` FOREIGN KEY (`account_sid`) REFERENCES `accounts` (`account_sid`) ON DELETE CASCADE;

ALTER TABLE `account_offers`
  ADD CONSTRAINT `account_sid_idxfk_5` FOREIGN KEY (`account_sid`) REFERENCES `accounts` (`account_sid`),
  ADD CONSTRAINT `product_sid_idxfk_1` FOREIGN KEY (`product_sid`) REFERENCES `products` (`product_sid`);

ALTER TABLE `account_products`
  ADD CONSTRAINT `account_subscription_sid_idxfk` FOREIGN KEY (`account_subscription_sid`) REFERENCES `account_subscriptions` (`account_subscription_sid`),
  ADD CONSTRAINT `product_sid_idxfk` FOREIGN KEY (`product_sid`) REFERENCES `products` (`product_sid`);

ALTER TABLE `account_static_ips`
  ADD CONSTRAINT `account_sid_idxfk` FOREIGN KEY (`account_sid`) REFERENCES `accounts` (`account_sid`);

ALTER TABLE `account_subscriptions`
  ADD CONSTRAINT `account_sid_idxfk_2` FOREIGN KEY (`account_sid`) REFERENCES `accounts` (`account_sid`);

ALTER TABLE `api_keys`
  ADD CONSTRAINT `account_sid_idxfk_6` FOREIGN KEY (`account_sid`) REFERENCES `accounts` (`account_sid`),
  ADD CONSTRAINT `service_provider_sid_idxfk` FOREIGN KEY (`service_provider_sid`) REFERENCES `service_providers` (`service_provider_sid`);

ALTER TABLE `applications`
  ADD CONSTRAINT `account_sid_idxfk_12` FOREIGN KEY (`account_sid`) REFERENCES `accounts` (`account_sid`),
  ADD CONSTRAINT `call_hook_sid_idxfk` FOREIGN KEY (`call_hook_sid`) REFERENCES `webhooks` (`webhook_sid`),
  ADD CONSTRAINT `call_status_hook_sid_idxfk` FOREIGN KEY (`call_status_hook_sid`) REFERENCES `webhooks` (`webhook_sid`),
  ADD CONSTRAINT `messaging_hook_sid_idxfk` FOREIGN KEY (`messaging_hook_sid`) REFERENCES `webhooks` (`webhook_sid`),
  ADD CONSTRAINT `service_provider_sid_idxfk_9` FOREIGN KEY (`service_provider_sid`) REFERENCES `service_providers` (`service_provider_sid`);

ALTER TABLE `call_routes`
  ADD CONSTRAINT `account_sid_idxfk_3` FOREIGN KEY (`account_sid`) REFERENCES `accounts` (`account_sid`),
  ADD CONSTRAINT `application_sid_idxfk` FOREIGN KEY (`application_sid`) REFERENCES `applications` (`application_sid`);

ALTER TABLE `clients`
  ADD CONSTRAINT `account_sid_idxfk_13` FOREIGN KEY (`account_sid`) REFERENCES `accounts` (`account_sid`);

ALTER TABLE `dns_records`
  ADD CONSTRAINT `account_sid_idxfk_4` FOREIGN KEY (`account_sid`) REFERENCES `accounts` (`account_sid`);

ALTER TABLE `google_custom_voices`
  ADD CONSTRAINT `speech_credential_sid_idxfk` FOREIGN KEY (`speech_credential_sid`) REFERENCES `speech_credentials` (`speech_credential_sid`) ON DELETE CASCADE;

ALTER TABLE `lcr`
  ADD CONSTRAINT `default_carrier_set_entry_sid_idxfk` FOREIGN KEY (`default_carrier_set_entry_sid`) REFERENCES `lcr_carrier_set_entry` (`lcr_carrier_set_entry_sid`);

ALTER TABLE `lcr_carrier_set_entry`
  ADD CONSTRAINT `lcr_route_sid_idxfk` FOREIGN KEY (`lcr_route_sid`) REFERENCES `lcr_routes` (`lcr_route_sid`),
  ADD CONSTRAINT `voip_carrier_sid_idxfk_3` FOREIGN KEY (`voip_carrier_sid`) REFERENCES `voip_carriers` (`voip_carrier_sid`);

ALTER TABLE `lcr_routes`
  ADD CONSTRAINT `lcr_sid_idxfk` FOREIGN KEY (`lcr_sid`) REFERENCES `lcr` (`lcr_sid`);

ALTER TABLE `ms_teams_tenants`
  ADD CONSTRAINT `account_sid_idxfk_7` FOREIGN KEY (`account_sid`) REFERENCES `accounts` (`account_sid`),
  ADD CONSTRAINT `application_sid_idxfk_1` FOREIGN KEY (`application_sid`) REFERENCES `applications` (`application_sid`),
  ADD CONSTRAINT `service_provider_sid_idxfk_2` FOREIGN KEY (`service_provider_sid`) REFERENCES `service_providers` (`service_provider_sid`);

ALTER TABLE `phone_numbers`
  ADD CONSTRAINT `account_sid_idxfk_11` FOREIGN KEY (`account_sid`) REFERENCES `accounts` (`account_sid`),
  ADD CONSTRAINT `application_sid_idxfk_3` FOREIGN KEY (`application_sid`) REFERENCES `applications` (`application_sid`),
  ADD CONSTRAINT `service_provider_sid_idxfk_8` FOREIGN KEY (`service_provider_sid`) REFERENCES `service_providers` (`service_provider_sid`),
  ADD CONSTRAINT `voip_carrier_sid_idxfk_1` FOREIGN KEY (`voip_carrier_sid`) REFERENCES `voip_carriers` (`voip_carrier_sid`);

ALTER TABLE `predefined_sip_gateways`
  ADD CONSTRAINT `predefined_carrier_sid_idxfk` FOREIGN KEY (`predefined_carrier_sid`) REFERENCES `predefined_carriers` (`predefined_carrier_sid`);

ALTER TABLE `predefined_smpp_gateways`
  ADD CONSTRAINT `predefined_carrier_sid_idxfk_1` FOREIGN KEY (`predefined_carrier_sid`) REFERENCES `predefined_carriers` (`predefined_carrier_sid`);

ALTER TABLE `sbc_addresses`
  ADD CONSTRAINT `service_provider_sid_idxfk_1` FOREIGN KEY (`service_provider_sid`) REFERENCES `service_providers` (`service_provider_sid`);

ALTER TABLE `service_providers`
  ADD CONSTRAINT `registration_hook_sid_idxfk` FOREIGN KEY (`registration_hook_sid`) REFERENCES `webhooks` (`webhook_sid`);

ALTER TABLE `service_provider_limits`
  ADD CONSTRAINT `service_provider_sid_idxfk_3` FOREIGN KEY (`service_provider_sid`) REFERENCES `service_providers` (`service_provider_sid`) ON DELETE CASCADE;

ALTER TABLE `sip_gateways`
  ADD CONSTRAINT `voip_carrier_sid_idxfk_2` FOREIGN KEY (`voip_carrier_sid`) REFERENCES `voip_carriers` (`voip_carrier_sid`);

ALTER TABLE `smpp_addresses`
  ADD CONSTRAINT `service_provider_sid_idxfk_4` FOREIGN KEY (`service_provider_sid`) REFERENCES `service_providers` (`service_provider_sid`);

ALTER TABLE `smpp_gateways`
  ADD CONSTRAINT `voip_carrier_sid_idxfk` FOREIGN KEY (`voip_carrier_sid`) REFERENCES `voip_carriers` (`voip_carrier_sid`);

ALTER TABLE `speech_credentials`
  ADD CONSTRAINT `account_sid_idxfk_8` FOREIGN KEY (`account_sid`) REFERENCES `accounts` (`account_sid`),
  ADD CONSTRAINT `service_provider_sid_idxfk_5` FOREIGN KEY (`service_provider_sid`) REFERENCES `service_providers` (`service_provider_sid`);

ALTER TABLE `users`
  ADD CONSTRAINT `account_sid_idxfk_9` FOREIGN KEY (`account_sid`) REFERENCES `accounts` (`account_sid`),
  ADD CONSTRAINT `service_provider_sid_idxfk_6` FOREIGN KEY (`service_provider_sid`) REFERENCES `service_providers` (`service_provider_sid`);

ALTER TABLE `user_permissions`
  ADD CONSTRAINT `permission_sid_idxfk` FOREIGN KEY (`permission_sid`) REFERENCES `permissions` (`permission_sid`),
  ADD CONSTRAINT `user_sid_idxfk` FOREIGN KEY (`user_sid`) REFERENCES `users` (`user_sid`) ON DELETE CASCADE;

ALTER TABLE `voip_carriers`
  ADD CONSTRAINT `account_sid_idxfk_10` FOREIGN KEY (`account_sid`) REFERENCES `accounts` (`account_sid`),
  ADD CONSTRAINT `application_sid_idxfk_2` FOREIGN KEY (`application_sid`) REFERENCES `applications` (`application_sid`),
  ADD CONSTRAINT `service_provider_sid_idxfk_7` FOREIGN KEY (`service_provider_sid`) REFERENCES `service_providers` (`service_provider_sid`);
