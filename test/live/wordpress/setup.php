<?php
/**
 * Run once by wordpress.live.ts, in a copy of WordPress with an empty database: installs it, switches the plugins on and
 * makes one form of Contact Form 7 per argument, each a JSON object of settings of “CF7 to Webhook”. Prints their ids.
 */
define( 'WP_INSTALLING', true );
$_SERVER['HTTP_HOST'] = getenv( 'SITE' );
require_once $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';
wp_install( 'Live', 'admin', 'admin@clinic.example', true, '', 'not-a-secret' );
foreach ( array( 'contact-form-7/wp-contact-form-7.php', 'cf7-to-zapier/cf7-to-zapier.php' ) as $plugin ) {
	$error = activate_plugin( $plugin );
	if ( is_wp_error( $error ) ) {
		fwrite( STDERR, $error->get_error_message() );
		exit( 1 );
	}
}
wpcf7_register_post_types();
$form = '[text* your-name] [tel* your-tel] [date your-date] [select your-time "10:30" "3:00 PM"]'
	. ' [radio your-treatment use_label_element "Scaling & Polishing" "Whitening"] [checkbox your-menu "Cash" "Card"]'
	. ' [textarea your-message] [hidden utm_campaign] [acceptance consent] I agree [/acceptance] [submit]';
$ids = array();
foreach ( array_slice( $argv, 2 ) as $settings ) {
	$contact_form = WPCF7_ContactForm::get_template();
	$contact_form->set_title( 'Booking' );
	$contact_form->set_properties( array(
		'form'        => $form,
		'ctz_zapier'  => array_merge( array( 'accepted_statuses' => array( 200 ), 'custom_method' => 'POST' ), json_decode( $settings, true ) ),
	) );
	$ids[] = $contact_form->save();
}
echo json_encode( $ids );
