<?php
/**
 * Sends one form by Elementor Pro's own classes (PRO Elements, modules/forms), loaded without the page builder around
 * them: what they send is made by Form_Record and Webhook alone. Arguments: the folder of WordPress, that of the plugin,
 * and a JSON object with `url`, `advanced`, `labels` and `words` (translations of the plugin's texts).
 */
namespace Elementor {
	class Controls_Manager {}
}
namespace ElementorPro\Core {
	class Utils {
		public static function get_client_ip() {
			return '203.0.113.7';
		}
	}
}
namespace {
	$given = json_decode( $argv[3], true );
	// WordPress has variables called $plugin and $file of its own.
	$elementor_pro = $argv[2];
	$_SERVER['HTTP_HOST'] = getenv( 'SITE' );
	require $argv[1] . '/wp-load.php';
	foreach ( array( 'classes/action-base.php', 'classes/form-record.php', 'actions/webhook.php' ) as $class_file ) {
		require $elementor_pro . '/modules/forms/' . $class_file;
	}
	// The receiver is on this machine, which WordPress takes for a mistake.
	add_filter( 'http_request_host_is_external', '__return_true' );
	add_filter( 'http_allowed_safe_ports', fn () => array( wp_parse_url( $given['url'], PHP_URL_PORT ) ) );
	add_filter( 'gettext', fn ( $text, $original, $domain ) => 'elementor-pro' === $domain ? ( $given['words'][ $original ] ?? $text ) : $text, 10, 3 );

	$answers = array( 'name' => "Ann O'Neil", 'phone' => '01712-345678', 'when' => '2026-03-10', 'at' => '10:30', 'pay' => array( 'Cash', 'Card' ) );
	$types   = array( 'name' => 'text', 'phone' => 'tel', 'when' => 'date', 'at' => 'time', 'pay' => 'checkbox' );
	$fields  = array();
	foreach ( $types as $id => $type ) {
		$fields[] = array( 'custom_id' => $id, 'field_type' => $type, 'field_label' => $given['labels'][ $id ], 'required' => 'true' );
	}
	$settings = array(
		'id'                     => '1a2b3c4',
		'form_name'              => 'Booking',
		'form_fields'            => $fields,
		'form_metadata'          => array( 'date', 'time', 'page_url', 'user_agent', 'remote_ip', 'credit' ),
		'webhooks'               => $given['url'],
		'webhooks_advanced_data' => $given['advanced'] ? 'yes' : 'no',
	);
	$record = new \ElementorPro\Modules\Forms\Classes\Form_Record( $answers, array( 'widgetType' => 'form', 'settings' => $settings ) );
	$record->set( 'form_settings', $settings );
	try {
		( new \ElementorPro\Modules\Forms\Actions\Webhook() )->run( $record, null );
		echo 'sent';
	} catch ( \Exception $error ) {
		echo $error->getMessage();
	}
}
